import { type FieldFilter, fieldCondition } from "../fields/filter.sql.ts";
import { DUE, type Sort } from "./orders.ts";
import { COULD_START, readyFor } from "./ready.sql.ts";
import type { Readiness } from "./ready.ts";

/** The filters of issue lists as conditions on an issue's own row. */

export type ListFilter = {
  column:
    | "status"
    | "status_id"
    | "assignee_ids"
    | "reporter_id"
    | "label_ids"
    | "priority"
    | "type"
    | "sprint_id"
    | "milestone_id"
    | "release_id"
    | "parent_id"
    | "epic_id"
    // Terms of a search as JSON.
    | "search"
    // `notReady` says for whom.
    | "ready"
    // `field` says which values.
    | "custom_fields"
    // One instant: due before it, and last changed since then.
    | "due_at"
    | "updated_at";
  any: string[];
  /** Also match issues without a value. */
  none: boolean;
  field?: FieldFilter;
  /** Only issues that are not ready. */
  notReady?: Readiness;
  /** For `status`: also match issues in one of these columns. */
  orColumns?: string[];
};

export type Param = (value: unknown) => string;

/** The conditions of filters on an issue `i`, and of readiness. */
export const matching = (filters: ListFilter[], ready: Readiness | undefined, param: Param, sort?: Sort): string =>
  [...(ready ? [readyFor(ready, param)] : []), ...filters.map((filter) => condition(filter, param, sort))].join(
    " and ",
  ) || "true";

function condition(filter: ListFilter, param: Param, sort?: Sort): string {
  const { column, any, none, field, notReady, orColumns = [] } = filter;
  if (notReady) return `(${COULD_START} and ${readyFor(notReady, param)}) is not true`;
  if (field) return fieldCondition(field, param);
  if (column === "search") return `i.search @@ search_terms(${param(any[0])}::jsonb)`;
  if (column === "due_at") {
    // In the order of due dates, the index of the order ends there. Otherwise Postgres chooses by the number of issues,
    // which it knows of the column and not of the expression.
    const due = sort === "due_asc" ? DUE : "i.due_at";
    const [days, instants = days] = any;
    if (days === instants) return `${due} < ${param(days)}::timestamptz`;
    const [, last] = any.toSorted();
    return `${due} < ${param(last)}::timestamptz
      and i.due_at < case when i.due_on is null then ${param(instants)}::timestamptz else ${param(days)}::timestamptz end`;
  }
  if (column === "updated_at") return `i.updated_at >= ${param(any[0])}::timestamptz`;
  const parts: string[] = [];
  if (column === "assignee_ids" || column === "label_ids") {
    if (any.length > 0) parts.push(`i.${column} && ${param(any)}::uuid[]`);
    if (none) parts.push(`i.${column} = '{}'`);
    return either(parts);
  }
  const cast = column === "status" || column === "priority" || column === "type" ? "text" : "uuid";
  // One value becomes an equality, which keeps the index's order.
  if (any.length === 1) parts.push(`i.${column} = ${param(any[0])}::${cast}`);
  else if (any.length > 1) parts.push(`i.${column} = any(${param(any)}::${cast}[])`);
  if (orColumns.length > 0) parts.push(`i.status_id = any(${param(orColumns)}::uuid[])`);
  if (none) parts.push(`i.${column} is null`);
  return either(parts);
}

const either = (parts: string[]) => (parts.length === 1 ? parts[0]! : `(${parts.join(" or ")})`);
