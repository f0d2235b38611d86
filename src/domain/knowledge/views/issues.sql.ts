import { type IssueRow, issueColumns, issueJoins } from "../../access/identity/issue-row.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import { isLive } from "../../kernel/present.sql.ts";
import type { Order } from "../../work/issues/orders.ts";
import type { ViewFilter } from "./view.ts";

/**
 * The issues of a view. Each project has an index in the order of the view, and the first issues of each project are
 * merged, so the cost grows with the projects that the caller sees and not with those of the workspace. A filter is tried
 * out first, as in the list of a project's issues (`work/issues/list.sql.ts`):
 *
 * 1. `front` reads the first issues of each project. Everything before the first place where one of the projects was cut
 *    is known. Frequent matches fill a page there.
 * 2. `everywhere` decides for each project. It collects the matches of a project with up to COMMON of them, and walks along
 *    the order of a project with more.
 */

/** Number of issues that are read to find frequent matches: in all projects together, and in each of them. */
const FRONT = 5_000;
const FRONT_OF_PROJECT = { least: 50, most: 1_000 };

/** A project with up to this number of matches is not walked: its matches are collected and sorted. */
const COMMON = 500;

export type IssueFilter = Pick<ViewFilter, "statuses" | "priorities" | "types" | "assigneeId">;
type Options = { order: Order; after: Cursor | null; limit: number };

/** Returns issues of these projects in the requested order. The caller sees all of the projects. */
export async function issuesOf(
  ctx: InWorkspace,
  projectIds: readonly string[],
  filter: IssueFilter,
  options: Options,
): Promise<IssueRow[]> {
  if (projectIds.length === 0) return [];
  const values: unknown[] = [ctx.workspace.id, projectIds, options.limit];
  const parts = partsOf(filter, options, (value) => `$${values.push(value)}`);
  const run = <Row>(text: string) => ctx.db.query<Row>({ text }, values);
  if (parts.matching === "") return run<IssueRow>(everyIssue(parts));
  const { least, most } = FRONT_OF_PROJECT;
  const share = Math.min(most, Math.max(least, Math.floor(FRONT / projectIds.length)));
  const front = await run<IssueRow & { cut: boolean }>(frontOf(parts, share));
  // Without a match there is one row, which only tells whether a project was cut.
  if (front.length === options.limit || !front[0]!.cut) return front.filter(({ id }) => id !== null);
  return run<IssueRow>(everywhere(parts));
}

type Parts = {
  /** Sort key and order, of `issue i`. */
  key: string;
  order: string;
  /** The same order by the columns of a subquery `hit`. */
  listed: string;
  /** Issues of the project `p` after the cursor, and the condition of the filter; "" without one. */
  range: string;
  matching: string;
  /** Compares two (key, id): whether the left one comes later in the list. */
  later: "<" | ">";
};

function partsOf(filter: IssueFilter, { order, after }: Options, param: (value: unknown) => string): Parts {
  const { key, type, direction } = order;
  const later = direction === "desc" ? "<" : ">";
  const beyond = after ? ` and (${key}, i.id) ${later} (${param(after[0])}::${type}, ${param(after[1])}::uuid)` : "";
  const one = (column: string, values: readonly string[]) =>
    values.length === 0 ? [] : [`i.${column} = any(${param(values)}::text[])`];
  const { assigneeId } = filter;
  const conditions = [
    ...one("status", filter.statuses),
    ...one("priority", filter.priorities),
    ...one("type", filter.types),
    ...(assigneeId === null ? [] : [`i.assignee_ids && array[${param(assigneeId)}::uuid]`]),
  ];
  return {
    key,
    order: `${key} ${direction}, i.id ${direction}`,
    listed: `hit.key ${direction}, hit.id ${direction}`,
    range: `i.project_id = p.id and ${isLive("i")}${beyond}`,
    matching: conditions.join(" and "),
    later,
  };
}

const PROJECTS = "unnest($2::uuid[]) as p(id)";

/** Issues with the rows of their page, by `page.id`. */
const rowsOf = ({ order }: Parts, page: string) => `
  select ${issueColumns} from (${page}) page join issue i on i.workspace_id = $1 and i.id = page.id ${issueJoins}
  order by ${order}`;

/**
 * The first issues of each project, merged. A page has issues of at most as many projects as it has rows: those whose first
 * issue comes first. So of all other projects only one issue is read.
 */
const everyIssue = (parts: Parts) => {
  const { key, order, listed, range } = parts;
  const first = (limit: string) => `
    cross join lateral (select i.id, ${key} as key from issue i where ${range} order by ${order} limit ${limit}) hit
    order by ${listed} limit $3`;
  return rowsOf(parts, `select hit.id from (select p.id from ${PROJECTS} ${first("1")}) p ${first("$3")}`);
};

/**
 * The matches among the first `most` issues of each project, up to the first place where a project was cut. `cut` tells
 * whether there may be more.
 */
const frontOf = ({ key, order, listed, range, matching, later }: Parts, most: number) => `
  with front as materialized (
    select one.* from ${PROJECTS} cross join lateral (
      select i.id, ${key} as key, ${matching} as matches, row_number() over (order by ${order}) as place
      from (select i.id, i.created_at, i.updated_at, i.due_at, i.priority, i.status, i.type, i.assignee_ids
            from issue i where ${range} order by ${order} limit ${most}) i) one),
  edge as materialized (select key, id from front hit where place = ${most} order by ${listed} limit 1),
  page as materialized (
    select id from front hit
    where matches and not exists (select from edge where (hit.key, hit.id) ${later} (edge.key, edge.id))
    order by ${listed} limit $3)
  select edged.cut, ${issueColumns} from (select exists (select from edge) as cut) edged
  left join page on true left join issue i on i.workspace_id = $1 and i.id = page.id ${issueJoins}
  order by ${order}`;

/**
 * The matches of each project, collected or walked. The collected ones are planned as if all of them were read, or Postgres
 * would choose to walk a project without matches to its end.
 */
const everywhere = (parts: Parts) => {
  const { key, order, listed, range, matching } = parts;
  return rowsOf(
    parts,
    `select hit.id from ${PROJECTS} cross join lateral (
       with matches as materialized (select i.id from issue i where ${range} and ${matching}),
       few as materialized (
         select count(*) as hits, array_agg(id) as ids from (select id from matches limit ${COMMON + 1}) m)
       (select i.id, ${key} as key from few join issue i on i.id = any(few.ids) where few.hits <= ${COMMON})
       union all
       (select i.id, ${key} as key from issue i
        where (select hits from few) > ${COMMON} and ${range} and ${matching} order by ${order} limit $3)) hit
     order by ${listed} limit $3`,
  );
};
