import type { Cursor } from "../paging.ts";
import type { Db } from "../ports.ts";
import { type IssueRow, issueColumns, issueJoins, type LabelRow, labelColumns } from "./rows.ts";

/**
 * The issue list. Its plans at a million issues are shown in docs/issue-list-plans.md.
 *
 * A list in board order can be read by walking the board and filtering, which is fast when matches are frequent, or by
 * collecting all matches and sorting them, which is fast when they are rare. The planner guesses badly which it is
 * (arrays and words it has no statistics for), so it is measured: are there more than COMMON matches?
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

/** With this many matches, a walk along the board meets a page of them soon; fewer are quickly sorted. */
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
  const values: unknown[] = [workspaceId, projectId];
  const param = (value: unknown) => `$${values.push(value)}`;
  const matches = [
    "i.workspace_id = $1",
    "i.project_id = $2",
    `i.archived_at is ${options.archived ? "not null" : "null"}`,
    ...filters.map((filter) => condition(filter, param)),
  ].join(" and ");
  const walks = isOrdered(filters) || (await isCommon(db, matches, values));

  const byRank = options.sort === "rank";
  const text = `
    ${walks ? "" : `with match as materialized (select i.id from issue i where ${matches})`}
    select ${issueColumns} from issue i ${issueJoins}
    where ${walks ? matches : "i.id in (select id from match)"} ${options.after ? `and ${beyond(options.after, byRank, param)}` : ""}
    order by ${byRank ? "i.rank, i.id" : "i.number desc"} limit ${param(options.limit)}`;
  // Only the plain list is a prepared statement: with filters, the best plan depends on the values.
  const name =
    filters.length === 0 ? `list_issues_${options.sort}_${options.archived}_${options.after !== null}` : undefined;

  const rows = await db.query<IssueRow>({ ...(name ? { name } : {}), text }, values);
  return { rows, labels: await labelsIn(db, workspaceId, rows) };
}

/** What comes behind a cursor. Its values are parameters only where they are used: Postgres wants a type for each. */
const beyond = ([key, id]: Cursor, byRank: boolean, param: (value: unknown) => string) =>
  byRank ? `(i.rank, i.id) > (${param(key)}::text collate "C", ${param(id)}::uuid)` : `i.number < ${param(key)}::int`;

/** Whether one index gives both the filter and the order, so that no guess is needed. */
function isOrdered(filters: ListFilter[]): boolean {
  const [first, second] = filters;
  if (!first) return true;
  const single = ORDERED.includes(first.column) && first.any.length === 1 && !first.none && !first.orColumns?.length;
  // A column lies within its category, of which there are few others.
  return single && (!second || (filters.length === 2 && second.column === "status_id" && second.any.length === 1));
}

async function isCommon(db: Db, matches: string, values: readonly unknown[]): Promise<boolean> {
  const text = `select count(*) as hits from (select 1 from issue i where ${matches} limit ${COMMON + 1}) found`;
  const [row] = await db.query<{ hits: number }>({ text }, [...values]);
  return (row?.hits ?? 0) > COMMON;
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

function condition({ column, any, none, orColumns = [] }: ListFilter, param: (value: unknown) => string): string {
  if (column === "search") return `i.search @@ websearch_to_tsquery('simple', ${param(any[0])})`;
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
