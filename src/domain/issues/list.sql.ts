import type { Cursor } from "../paging.ts";
import type { Db } from "../ports.ts";
import { type IssueRow, issueColumns, issueJoins, type LabelRow } from "./rows.ts";

/** The issue list. Its plans at a million issues are shown in docs/issue-list-plans.md. */

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
  /** For `search`: the words stand in so many issues that walking the board finds a page sooner. */
  common?: boolean;
};

type Options = { sort: "rank" | "created_desc"; archived: boolean; after: Cursor | null; limit: number };

/** Rows in the order asked for, and the labels that occur in them. */
export async function listIssues(
  db: Db,
  workspaceId: string,
  projectId: string,
  filters: ListFilter[],
  options: Options,
) {
  const values: unknown[] = [workspaceId, projectId, options.limit];
  const param = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    "i.workspace_id = $1",
    "i.project_id = $2",
    `i.archived_at is ${options.archived ? "not null" : "null"}`,
    ...filters.map((filter) => condition(filter, param)),
  ];
  const byRank = options.sort === "rank";
  if (options.after) {
    const [key, id] = options.after.map(param);
    conditions.push(byRank ? `(i.rank, i.id) > (${key}::text collate "C", ${id}::uuid)` : `i.number < ${key}::int`);
  }
  const text = `
    ${candidates(filters, options.archived, param)}
    select ${issueColumns} from issue i ${issueJoins}
    where ${conditions.join(" and ")} order by ${byRank ? "i.rank, i.id" : "i.number desc"} limit $3`;
  // Only the plain list is a prepared statement: with filters, the best plan depends on the values.
  const name =
    filters.length === 0 ? `list_issues_${options.sort}_${options.archived}_${options.after !== null}` : undefined;

  const rows = await db.query<IssueRow>({ ...(name ? { name } : {}), text }, values);
  return { rows, labels: await labelsIn(db, workspaceId, rows) };
}

const LABELS = {
  name: "labels_of_page",
  text: `select id, name, color, description, created_at from label where workspace_id = $1 and id = any($2::uuid[])`,
};

/** The labels of a page, each once: joined row by row they would cost more than the page itself. */
async function labelsIn(db: Db, workspaceId: string, rows: IssueRow[]): Promise<Map<string, LabelRow>> {
  const ids = new Set(rows.flatMap((row) => row.label_ids));
  const labels = ids.size === 0 ? [] : await db.query<LabelRow>(LABELS, [workspaceId, [...ids]]);
  return new Map(labels.map((label) => [label.id, label]));
}

/** Rare words: the text index picks the few issues first, for the planner would rather walk the whole board. */
function candidates(filters: ListFilter[], archived: boolean, param: (value: unknown) => string): string {
  const rare = filters.find((filter) => filter.column === "search" && !filter.common);
  if (!rare) return "";
  return `with hit as materialized (
      select id from issue i where i.project_id = $2 and i.archived_at is ${archived ? "not null" : "null"}
        and ${matches(param(rare.any[0]))})`;
}

const matches = (q: string) => `i.search @@ websearch_to_tsquery('simple', ${q})`;

function condition(filter: ListFilter, param: (value: unknown) => string): string {
  const { column, any, none, orColumns, common } = filter;
  if (column === "search") return common ? matches(param(any[0])) : "i.id in (select id from hit)";
  if (column === "assignee_ids" || column === "label_ids") {
    const parts = any.length > 0 ? [`i.${column} && ${param(any)}::uuid[]`] : [];
    return either(none ? [...parts, `i.${column} = '{}'`] : parts);
  }
  if (column === "sprint_id" && any.includes("active")) {
    const ids = any.filter((id) => id !== "active");
    const active = `i.sprint_id = (select id from sprint where project_id = $2 and status = 'active' and deleted_at is null)`;
    return either([
      active,
      ...(ids.length > 0 ? [`i.sprint_id = any(${param(ids)}::uuid[])`] : []),
      ...(none ? ["i.sprint_id is null"] : []),
    ]);
  }
  const cast = column === "status" || column === "priority" || column === "type" ? "text" : "uuid";
  const parts: string[] = [];
  // One value stays an equality, which keeps the index's order.
  if (any.length === 1) parts.push(`i.${column} = ${param(any[0])}::${cast}`);
  else if (any.length > 1) parts.push(`i.${column} = any(${param(any)}::${cast}[])`);
  if (orColumns && orColumns.length > 0) parts.push(`i.status_id = any(${param(orColumns)}::uuid[])`);
  if (none) parts.push(`i.${column} is null`);
  return either(parts);
}

const either = (parts: string[]) => (parts.length === 1 ? parts[0]! : `(${parts.join(" or ")})`);

// Beyond this many hits a walk along the board meets a page of them soon.
const COMMON = 2_000;

/** Whether the words stand in so many issues of the project that walking the board is the faster way to a page. */
export async function isCommon(
  db: Db,
  workspaceId: string,
  projectId: string,
  q: string,
  archived: boolean,
): Promise<boolean> {
  const [row] = await db.query<{ hits: number }>(
    {
      text: `
        select count(*) as hits from (
          select 1 from issue i where i.workspace_id = $1 and i.project_id = $2
            and i.archived_at is ${archived ? "not null" : "null"} and ${matches("$3")} limit ${COMMON + 1}) found`,
    },
    [workspaceId, projectId, q],
  );
  return (row?.hits ?? 0) > COMMON;
}
