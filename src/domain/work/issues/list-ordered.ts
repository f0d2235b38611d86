import type { Db } from "../../kernel/ports/ports.ts";
import { shows } from "../../kernel/present.sql.ts";
import type { ListOptions } from "./list.sql.ts";
import type { ListFilter } from "./list-conditions.sql.ts";
import { CHANGING_COLUMNS } from "./list-stored.sql.ts";
import type { Sort } from "./orders.ts";

/** Columns with an index that is in board order for each value. The later ones have fewer issues for one value. */
export const ORDERED: readonly ListFilter["column"][] = [
  "priority",
  "type",
  "status",
  "reporter_id",
  "sprint_id",
  "milestone_id",
  "release_id",
  "parent_id",
  "epic_id",
];

/** Other columns with an index of the issues without a value. */
const WITHOUT: readonly ListFilter["column"][] = ["assignee_ids"];

/** The filters that are ranges of an order's own index. */
const OF_ORDER: Partial<Record<Sort, ListFilter["column"]>> = { updated_desc: "updated_at", due_asc: "due_at" };

/** Whether one index gives both the filter and the order, so that there is nothing to try out. */
export function isOrdered(filters: ListFilter[], { sort, ready }: ListOptions, db: Db): boolean {
  if (ready) return false;
  const { changes, columns } = shows(db);
  // No index has what is about to be.
  if (columns && filters.some(({ column }) => column === "status")) return false;
  if (changes && filters.some(({ column }) => CHANGING_COLUMNS.includes(column))) return false;
  const [first, second] = filters;
  if (!first) return true;
  if (filters.length === 1 && first.column === OF_ORDER[sort]) return true;
  if (sort !== "rank") return false;
  const one = ORDERED.includes(first.column) && first.any.length === 1 && !first.none && !first.orColumns?.length;
  const absent = [...WITHOUT, ...ORDERED].includes(first.column) && first.none && first.any.length === 0;
  const single = one || (filters.length === 1 && absent);
  // A column belongs to one category, and a category has few other columns.
  return single && (!second || (filters.length === 2 && second.column === "status_id" && second.any.length === 1));
}

/**
 * The filter along whose index a list in board order is walked, instead of along the board: of several, the one that
 * usually has the fewest issues.
 */
export function leadOf(filters: ListFilter[], { sort, ready, archived }: ListOptions, db: Db): ListFilter | undefined {
  if (sort !== "rank" || ready || archived || filters.length < 2 || shows(db).changes) return undefined;
  const valued = (filter: ListFilter) => filter.any.length === 1 && !filter.none && !filter.orColumns?.length;
  const rarest = ORDERED.toReversed();
  return (
    rarest.flatMap((column) => filters.filter((filter) => filter.column === column && valued(filter)))[0] ??
    filters.find(({ column, any, none }) => [...WITHOUT, ...rarest].includes(column) && none && any.length === 0)
  );
}
