import type { ListFilter, Param } from "./list-conditions.sql.ts";

/**
 * Finding issues by several filters at once: `issue_search` has the values that many issues share, and what several of its
 * lists have in common is found without reading issues. The plain conditions still decide.
 */

/** As in the index, with the project in each number. */
const VALUES = `array[
  hashtextextended(i.status, uuid_hash_extended(i.project_id, 0)),
  hashtextextended(i.priority, uuid_hash_extended(i.project_id, 0)),
  hashtextextended(i.type, uuid_hash_extended(i.project_id, 0)),
  uuid_hash_extended(i.reporter_id, uuid_hash_extended(i.project_id, 0))]`;

const TEXTS: readonly ListFilter["column"][] = ["status", "priority", "type"];

/** Columns whose values belong to one project, each with an index of its own. */
const OF_PROJECT: readonly ListFilter["column"][] = [
  "sprint_id",
  "milestone_id",
  "release_id",
  "parent_id",
  "epic_id",
  "label_ids",
];
/** What only `issue_search` finds together with others. Other pairs have an index that begins with both. */
const SHARED: readonly ListFilter["column"][] = ["assignee_ids", "search", "label_ids", "reporter_id"];
/** What `issue_search` has of all projects. */
const OF_ANY: readonly ListFilter["column"][] = ["assignee_ids", "search"];

/**
 * Conditions for the index; null if it does not help. With them, the project is left to the filters that belong to it:
 * the index's list of all its issues takes longer to read than all other lists.
 */
export function soughtBy(filters: readonly ListFilter[], param: Param): string[] | null {
  if (filters.length < 2 || !filters.some(({ column }) => SHARED.includes(column))) return null;
  const values = filters.filter(({ column }) => TEXTS.includes(column) || column === "reporter_id");
  const own = [...values, ...filters.filter(({ column }) => OF_PROJECT.includes(column))];
  const known = [...own, ...filters.filter(({ column }) => OF_ANY.includes(column))];
  const whole = known.every(({ any, none, orColumns }) => any.length > 0 && !none && !orColumns?.length);
  if (own.length === 0 || known.length < filters.length || !whole) return null;
  return values.map((filter) => hasValue(filter, param));
}

function hasValue({ column, any }: ListFilter, param: Param): string {
  const number = TEXTS.includes(column)
    ? (value: string) => `hashtextextended(${param(value)}::text, uuid_hash_extended($2, 0))`
    : (value: string) => `uuid_hash_extended(${param(value)}::uuid, uuid_hash_extended($2, 0))`;
  return `${VALUES} && array[${any.map(number).join(", ")}]`;
}
