import type { Cursor } from "../../kernel/paging.ts";
import { isLive } from "../../kernel/present.sql.ts";
import type { ListOptions } from "./list.sql.ts";
import type { Param } from "./list-conditions.sql.ts";
import { LIST_ORDERS, type Sort } from "./orders.ts";
import { COULD_START } from "./ready.sql.ts";

/** Which issues a list has, and in which order. */

export const orderOf = ({ sort }: ListOptions, key = LIST_ORDERS[sort].key): string => {
  const { direction } = LIST_ORDERS[sort];
  // A number is the issue's own.
  return sort === "created_desc" ? `${key} ${direction}` : `${key} ${direction}, i.id ${direction}`;
};

/** The conditions that select the list, and the part of it after the cursor. */
export const rangeOf = (options: ListOptions, param: Param, sought = false): string =>
  ["i.workspace_id = $1", placeOf(options, param, sought), ...(options.ready ? [COULD_START] : [])].join(" and ");

/**
 * The conditions that an index of the order has.
 * @param sought no index is to find the project's issues
 */
export function placeOf({ archived, after, sort }: ListOptions, param: Param, sought = false): string {
  const parts = [
    sought ? "i.project_id is not distinct from $2" : "i.project_id = $2",
    archived ? "i.archived_at is not null" : isLive("i"),
  ];
  return [...parts, ...(after ? [beyond(after, sort, param)] : [])].join(" and ");
}

/**
 * The condition for rows after a cursor. Its values become parameters only if they are used, because Postgres needs a
 * type for each.
 */
function beyond([last, id]: Cursor, sort: Sort, param: Param): string {
  const { key, type, direction } = LIST_ORDERS[sort];
  if (sort === "created_desc") return `${key} < ${param(last)}::${type}`;
  return `(${key}, i.id) ${direction === "asc" ? ">" : "<"} (${param(last)}::${type}, ${param(id)}::uuid)`;
}
