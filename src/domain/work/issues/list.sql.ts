import {
  type IssueRow,
  issueColumns,
  issueJoins,
  type LabelRow,
  labelColumns,
} from "../../access/identity/issue-row.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Db } from "../../kernel/ports/ports.ts";

/**
 * The issue list. Its plans are shown in docs/issue-list-plans.md.
 *
 * A list can be read by walking along it and filtering, which is fast when matches are frequent, or by collecting all
 * matches and sorting them, which is fast when they are rare. The planner guesses badly which it is (arrays and words it
 * has no statistics for, and it knows nothing of where they stand), so it is tried: is a page full after FRONT issues?
 * If not, matches are collected, unless there are more than COMMON.
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
    | "search";
  any: string[];
  /** Also those without a value. */
  none: boolean;
  /** For `status`: or in one of these columns. */
  orColumns?: string[];
};

export type ListOptions = { sort: "rank" | "created_desc"; archived: boolean; after: Cursor | null; limit: number };

/** Issues of the list that are looked at before matches are collected; fewer where each may hold a long text's words. */
const FRONT = 4_000;
const FRONT_OF_SEARCH = 1_000;

/** Fewer matches than this are quickly collected and sorted. */
const COMMON = 5_000;

/** Columns whose index goes on in board order behind one value. */
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

/** Rows in the order asked for, and the labels that occur in them. */
export async function listIssues(
  db: Db,
  workspaceId: string,
  projectId: string,
  filters: ListFilter[],
  options: ListOptions,
) {
  const rows = await read(db, [workspaceId, projectId], filters, options);
  return { rows, labels: await labelsIn(db, workspaceId, rows) };
}

async function read(db: Db, place: string[], filters: ListFilter[], options: ListOptions): Promise<IssueRow[]> {
  if (isOrdered(filters, options)) return walk(db, place, filters, options);

  const most = filters.some(({ column }) => column === "search") ? FRONT_OF_SEARCH : FRONT;
  const front = await walk(db, place, filters, options, most);
  if (front.length === options.limit) return front;
  return (await collect(db, place, filters, options)) ?? walk(db, place, filters, options);
}

const orderOf = ({ sort }: ListOptions) => (sort === "rank" ? "i.rank, i.id" : "i.number desc");

type Param = (value: unknown) => string;

/** What says where the list is, and which part of it is asked for. */
function rangeOf({ archived, after, sort }: ListOptions, param: Param): string {
  const parts = ["i.workspace_id = $1", "i.project_id = $2", `i.archived_at is ${archived ? "not null" : "null"}`];
  return [...parts, ...(after ? [beyond(after, sort === "rank", param)] : [])].join(" and ");
}

const matching = (filters: ListFilter[], param: Param) =>
  filters.map((filter) => condition(filter, param)).join(" and ") || "true";

/** A page along the list, or as much of one as its first `most` issues hold. */
function walk(db: Db, place: string[], filters: ListFilter[], options: ListOptions, most?: number) {
  const values: unknown[] = [...place];
  const param = (value: unknown) => `$${values.push(value)}`;
  const range = rangeOf(options, param);
  const matches = matching(filters, param);
  const order = orderOf(options);
  const [from, where] = most
    ? [`(select * from issue i where ${range} order by ${order} limit ${most}) i`, matches]
    : ["issue i", `${range} and ${matches}`];
  const text = `select ${issueColumns} from ${from} ${issueJoins} where ${where} order by ${order} limit ${param(options.limit)}`;
  // Only the plain list is a prepared statement: with filters, the best plan depends on the values.
  const { sort, archived, after } = options;
  const name = filters.length === 0 ? `list_issues_${sort}_${archived}_${after !== null}` : undefined;
  return db.query<IssueRow>({ ...(name ? { name } : {}), text }, values);
}

/**
 * A page from all that match; null when they are too many for this. In one statement, for an issue that is moved between
 * two would take the page's end, and with it the cursor, to its new place.
 */
async function collect(
  db: Db,
  place: string[],
  filters: ListFilter[],
  options: ListOptions,
): Promise<IssueRow[] | null> {
  const values: unknown[] = [...place];
  const param = (value: unknown) => `$${values.push(value)}`;
  const order = orderOf(options);
  const text = `
    with hit as materialized (
      select i.id, i.rank, i.number from issue i
      where ${rangeOf(options, param)} and ${matching(filters, param)} limit ${COMMON + 1}),
    page as materialized (
      select count(*) as hits, (array_agg(i.id order by ${order}))[1 : ${param(options.limit)}] as ids from hit i)
    select page.hits, ${issueColumns} from page
    left join issue i on page.hits <= ${COMMON} and i.workspace_id = $1 and i.id = any(page.ids) ${issueJoins}
    order by ${order}`;
  const rows = await db.query<IssueRow & { hits: number }>({ text }, values);
  return rows[0]!.hits > COMMON ? null : rows.filter(({ id }) => id !== null);
}

/** What comes behind a cursor. Its values are parameters only where they are used: Postgres wants a type for each. */
const beyond = ([key, id]: Cursor, byRank: boolean, param: Param) =>
  byRank ? `(i.rank, i.id) > (${param(key)}::text collate "C", ${param(id)}::uuid)` : `i.number < ${param(key)}::int`;

/** Whether one index gives both the filter and the order, so that no guess is needed. */
function isOrdered(filters: ListFilter[], { sort }: ListOptions): boolean {
  const [first, second] = filters;
  if (!first) return true;
  if (sort !== "rank") return false;
  const one = ORDERED.includes(first.column) && first.any.length === 1 && !first.none && !first.orColumns?.length;
  const single = one || (filters.length === 1 && first.none && first.any.length === 0);
  // A column lies within its category, of which there are few others.
  return single && (!second || (filters.length === 2 && second.column === "status_id" && second.any.length === 1));
}

const LABELS = {
  name: "labels_of_page",
  text: `select ${labelColumns} from label where workspace_id = $1 and id = any($2::uuid[])`,
};

/** The labels of a page, each once: joined row by row they would cost more than the page itself. */
async function labelsIn(db: Db, workspaceId: string, rows: IssueRow[]): Promise<Map<string, LabelRow>> {
  const ids = new Set(rows.flatMap((row) => row.label_ids));
  const labels = ids.size === 0 ? [] : await db.query<LabelRow>(LABELS, [workspaceId, [...ids]]);
  return new Map(labels.map((label) => [label.id, label]));
}

/** In the words of search_words(), or as Postgres' parser reads it, which is how older rows were indexed. */
const searched = (text: string) =>
  `i.search @@ (plainto_tsquery('simple', ${text}) || plainto_tsquery('simple', search_words(${text})))`;

function condition({ column, any, none, orColumns = [] }: ListFilter, param: Param): string {
  if (column === "search") return searched(param(any[0]));
  const parts: string[] = [];
  if (column === "assignee_ids" || column === "label_ids") {
    if (any.length > 0) parts.push(`i.${column} && ${param(any)}::uuid[]`);
    if (none) parts.push(`i.${column} = '{}'`);
    return either(parts);
  }
  const cast = column === "status" || column === "priority" || column === "type" ? "text" : "uuid";
  // One value stays an equality, which keeps the index's order.
  if (any.length === 1) parts.push(`i.${column} = ${param(any[0])}::${cast}`);
  else if (any.length > 1) parts.push(`i.${column} = any(${param(any)}::${cast}[])`);
  if (orColumns.length > 0) parts.push(`i.status_id = any(${param(orColumns)}::uuid[])`);
  if (none) parts.push(`i.${column} is null`);
  return either(parts);
}

const either = (parts: string[]) => (parts.length === 1 ? parts[0]! : `(${parts.join(" or ")})`);
