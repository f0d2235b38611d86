import { visibility, visible } from "../../access/identity/visible.sql.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import { fractionOf, percentOf } from "../goals/fraction.sql.ts";
import { projectProgress } from "./project-progress.sql.ts";
import type { PortfolioRow } from "./view.ts";

/**
 * Reads portfolios with their counts and their progress. Each project is measured once, however many portfolios of the
 * page have it. Parameters: $1 the workspace, $2 to $5 what the caller sees.
 * @param which SQL of which portfolios to read, in what order
 */
const read = (which: string) => `
  with page as materialized (
    select id, workspace_id, name, description_md, color, lead_user_id, created_by, created_at, updated_at
    from portfolio where workspace_id = $1 and deleted_at is null and ${which}),
  link as materialized (
    select portfolio_id, project_id from portfolio_project
    where portfolio_id in (select id from page) and workspace_id = $1),
  measured as materialized (
    select p.id, p.scoped, ${visible(2)} as seen, ${projectProgress("p.id")} as progress
    from project p where p.workspace_id = $1 and p.id in (select project_id from link)),
  projects as (
    select link.portfolio_id, count(*) filter (where seen) as seen, count(*) filter (where not scoped) as open,
           sum(progress) filter (where not scoped) as n, count(progress) filter (where not scoped) as d
    from link join measured on measured.id = link.project_id group by link.portfolio_id),
  goals as (
    select g.portfolio_id, count(*) as goals, sum(g.weight * g.progress) filter (where top.measured) as n,
           sum(g.weight) filter (where top.measured) as d
    from goal g left join goal above on above.id = g.parent_goal_id,
         lateral (select g.progress is not null and above.portfolio_id is distinct from g.portfolio_id as measured) top
    where g.workspace_id = $1 and g.portfolio_id in (select id from page) and g.deleted_at is null
    group by g.portfolio_id)
  select page.*, coalesce(goals.goals, 0) as goal_count, coalesce(projects.seen, 0) as project_count,
         coalesce(projects.open, 0) as open_project_count, ${percentOf("mean.progress")} as progress_pct
  from page left join goals on goals.portfolio_id = page.id left join projects on projects.portfolio_id = page.id,
       lateral (select coalesce(goals.n, 0) + coalesce(projects.n, 0) as n,
                       coalesce(goals.d, 0) + coalesce(projects.d, 0) as d) sums,
       lateral (select case when sums.d > 0 then ${fractionOf("sums.n", "sums.d")} end as progress) mean
  order by page.created_at desc, page.id desc`;

/** Returns portfolios, newest first. */
export function listPortfolios(
  { db, workspace, principal }: InWorkspace,
  after: Cursor | null,
  limit: number,
): Promise<PortfolioRow[]> {
  const beyond = after ? "(created_at, id) < ($7::timestamptz, $8::uuid)" : "true";
  return db.query<PortfolioRow>(
    {
      name: `list_portfolios${after ? "_after" : ""}`,
      text: read(`${beyond} order by created_at desc, id desc limit $6`),
    },
    [workspace.id, ...visibility(principal), limit, ...(after ?? [])],
  );
}

/** Returns portfolios by id, newest first. Deleted ones are left out. */
export const readPortfolios = (
  { db, workspace, principal }: InWorkspace,
  ids: readonly string[],
): Promise<PortfolioRow[]> =>
  db.query<PortfolioRow>({ name: "read_portfolios", text: read("id = any($6::uuid[])") }, [
    workspace.id,
    ...visibility(principal),
    ids,
  ]);

/** Whether the workspace has a portfolio with this id. */
export async function hasPortfolio({ db, workspace }: InWorkspace, id: string): Promise<boolean> {
  const text = `select 1 from portfolio where workspace_id = $1 and id = $2 and deleted_at is null`;
  return (await db.query({ name: "has_portfolio", text }, [workspace.id, id])).length > 0;
}

export async function countPortfolios({ db, workspace }: InWorkspace): Promise<number> {
  const text = `select count(*) as portfolios from portfolio where workspace_id = $1 and deleted_at is null`;
  const [row] = await db.query<{ portfolios: number }>({ name: "count_portfolios", text }, [workspace.id]);
  return row!.portfolios;
}
