import { type IssueRow, issueColumns, issueJoins } from "../../access/identity/issue-row.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { labelsIn } from "./labels.sql.ts";
import { DUE, LIST_ORDERS, type Sort } from "./orders.ts";
import { COULD_START, partsOfReady, readyFor } from "./ready.sql.ts";
import type { Readiness } from "./ready.ts";

/**
 * The issue list. docs/issue-list-plans.md shows its plans.
 *
 * There are two ways to read a filtered list. Walking along the list and filtering is fast if matches are frequent.
 * Collecting all matches and sorting them is fast if matches are rare. The planner often chooses wrongly, because it
 * has no statistics for arrays and words and does not know where in the list the matches are. So the code tries it out:
 * it walks along the first FRONT issues. If they do not fill a page, it collects the matches, unless there are more
 * than COMMON.
 */

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
    | "search"
    // One instant: due before it, and last changed since then.
    | "due_at"
    | "updated_at";
  any: string[];
  /** Also match issues without a value. */
  none: boolean;
  /** For `status`: also match issues in one of these columns. */
  orColumns?: string[];
};

export type ListOptions = {
  sort: Sort;
  archived: boolean;
  /** Only issues on which work can start. */
  ready?: Readiness | undefined;
  after: Cursor | null;
  limit: number;
};

/**
 * Number of issues that are walked before matches are collected. It is lower for searches, because each issue may
 * contain a long text.
 */
const FRONT = 4_000;
const FRONT_OF_SEARCH = 1_000;

/** Up to this number, matches are collected and sorted quickly. */
const COMMON = 5_000;

/** Columns with an index that is in board order for each value. */
const ORDERED: readonly ListFilter["column"][] = [
  "status",
  "priority",
  "type",
  "reporter_id",
  "sprint_id",
  "milestone_id",
  "release_id",
  "parent_id",
  "epic_id",
];

/** Returns rows in the requested order, and the labels of these rows. */
export async function listIssues(
  db: Db,
  workspaceId: string,
  projectId: string,
  filters: ListFilter[],
  options: ListOptions,
) {
  const rows = await read(db, [workspaceId, projectId], filters, options, WHOLE);
  return { rows, labels: await labelsIn(db, workspaceId, rows) };
}

/** What is read of each issue: the select list and its joins. */
type Shown<Row> = { columns: string; joins: string; row?: Row };
const WHOLE: Shown<IssueRow> = { columns: issueColumns, joins: issueJoins };
const PLACE: Shown<{ id: string; rank: string }> = { columns: "i.id, i.rank", joins: "" };

/** The same issues in the same order, without their contents. */
export const listPlaces = (
  db: Db,
  workspaceId: string,
  projectId: string,
  filters: ListFilter[],
  options: ListOptions,
): Promise<{ id: string; rank: string }[]> => read(db, [workspaceId, projectId], filters, options, PLACE);

async function read<Row extends object>(
  db: Db,
  scope: string[],
  filters: ListFilter[],
  options: ListOptions,
  shown: Shown<Row>,
): Promise<Row[]> {
  if (isOrdered(filters, options)) return walk(db, scope, filters, options, shown);

  const max = filters.some(({ column }) => column === "search") ? FRONT_OF_SEARCH : FRONT;
  const front = await walk(db, scope, filters, options, shown, max);
  if (front.length === options.limit) return front;
  return (await collect(db, scope, filters, options, shown)) ?? walk(db, scope, filters, options, shown);
}

const orderOf = ({ sort }: ListOptions, key = LIST_ORDERS[sort].key): string => {
  const { direction } = LIST_ORDERS[sort];
  // A number is the issue's own.
  return sort === "created_desc" ? `${key} ${direction}` : `${key} ${direction}, i.id ${direction}`;
};

type Param = (value: unknown) => string;

/** The conditions that select the list, and the part of it after the cursor. */
function rangeOf({ archived, ready, after, sort }: ListOptions, param: Param): string {
  const parts = ["i.workspace_id = $1", "i.project_id = $2", `i.archived_at is ${archived ? "not null" : "null"}`];
  return [...parts, ...(ready ? [COULD_START] : []), ...(after ? [beyond(after, sort, param)] : [])].join(" and ");
}

/** The conditions of filters on an issue `i`, and of readiness. */
export const matching = (filters: ListFilter[], ready: Readiness | undefined, param: Param, sort?: Sort): string =>
  [...(ready ? [readyFor(ready, param)] : []), ...filters.map((filter) => condition(filter, param, sort))].join(
    " and ",
  ) || "true";

/** Reads a page by walking along the list, or the matches among its first `max` issues. */
function walk<Row extends object>(
  db: Db,
  scope: string[],
  filters: ListFilter[],
  options: ListOptions,
  { columns, joins }: Shown<Row>,
  max?: number,
): Promise<Row[]> {
  const values: unknown[] = [...scope];
  const param = (value: unknown) => `$${values.push(value)}`;
  const range = rangeOf(options, param);
  const matches = matching(filters, options.ready, param, options.sort);
  const order = orderOf(options);
  const limit = param(options.limit);
  const first = (conditions: string) =>
    `(select * from issue i where ${conditions} order by ${order} limit ${max ?? limit})`;
  const sources = (ready: Readiness) =>
    partsOfReady(ready, param).map((part) => first(`${range} and ${part}${max ? "" : ` and ${matches}`}`));
  const [from, where] = options.ready
    ? [
        `(select * from (${sources(options.ready).join(" union all ")}) i order by ${order} limit ${max ?? limit}) i`,
        matches,
      ]
    : max
      ? [`${first(range)} i`, matches]
      : ["issue i", `${range} and ${matches}`];
  const text = `select ${columns} from ${from} ${joins} where ${where} order by ${order} limit ${limit}`;
  // Only the list without filters is a prepared statement. With filters, the best plan depends on the values.
  const { sort, archived, after } = options;
  const name = filters.length === 0 && !options.ready ? `list_issues_${sort}_${archived}_${after !== null}` : undefined;
  return db.query<Row>({ ...(name ? { name } : {}), text }, values);
}

/**
 * Reads a page from all matches; returns null if there are too many. It is one statement: if an issue moved between two
 * statements, the end of the page, and with it the cursor, would move too.
 */
async function collect<Row extends object>(
  db: Db,
  scope: string[],
  filters: ListFilter[],
  options: ListOptions,
  { columns, joins }: Shown<Row>,
): Promise<Row[] | null> {
  const values: unknown[] = [...scope];
  const param = (value: unknown) => `$${values.push(value)}`;
  const order = orderOf(options);
  const { key } = LIST_ORDERS[options.sort];
  const wanted = `${rangeOf(options, param)} and ${matching(filters, options.ready, param)}`;
  const hits = (part: string) => `
    (select i.id, ${key} as key from issue i where ${wanted} and ${part} limit ${COMMON + 1})`;
  const parts = options.ready ? partsOfReady(options.ready, param) : ["true"];
  const text = `
    with hit as materialized (${parts.map(hits).join(" union all ")}),
    page as materialized (
      select count(*) as hits, (array_agg(i.id order by ${orderOf(options, "i.key")}))[1 : ${param(options.limit)}] as ids from hit i)
    select page.hits, ${columns} from page
    left join issue i on page.hits <= ${COMMON} and i.workspace_id = $1 and i.id = any(page.ids) ${joins}
    order by ${order}`;
  const rows = await db.query<Row & { hits: number; id: string | null }>({ text }, values);
  return rows[0]!.hits > COMMON ? null : rows.filter(({ id }) => id !== null);
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

/** The filters that are ranges of an order's own index. */
const OF_ORDER: Partial<Record<Sort, ListFilter["column"]>> = { updated_desc: "updated_at", due_asc: "due_at" };

/** Whether one index gives both the filter and the order, so that there is nothing to try out. */
function isOrdered(filters: ListFilter[], { sort, ready }: ListOptions): boolean {
  if (ready) return false;
  const [first, second] = filters;
  if (!first) return true;
  if (filters.length === 1 && first.column === OF_ORDER[sort]) return true;
  if (sort !== "rank") return false;
  const one = ORDERED.includes(first.column) && first.any.length === 1 && !first.none && !first.orColumns?.length;
  const single = one || (filters.length === 1 && first.none && first.any.length === 0);
  // A column belongs to one category, and a category has few other columns.
  return single && (!second || (filters.length === 2 && second.column === "status_id" && second.any.length === 1));
}

/** Matches the words of the text, and the words that Postgres' parser finds, because older rows are indexed in that way. */
const searched = (text: string) => `i.search @@ (plainto_tsquery('simple', ${text}) || search_every(${text}))`;

function condition({ column, any, none, orColumns = [] }: ListFilter, param: Param, sort?: Sort): string {
  if (column === "search") return searched(param(any[0]));
  if (column === "due_at") {
    // In the order of due dates, the index of the order ends there. Otherwise Postgres chooses by the number of issues,
    // which it knows of the column and not of the expression.
    return `${sort === "due_asc" ? DUE : "i.due_at"} < ${param(any[0])}::timestamptz`;
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
