import { visibility, visible } from "../../access/identity/visible.sql.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { byName } from "../../kernel/paging.sql.ts";
import { percentOf } from "../goals/fraction.sql.ts";
import { projectProgress } from "./project-progress.sql.ts";
import type { PortfolioProjectView } from "./view.ts";

/** Parameters: $1 the workspace, $2 the portfolio, $3 to $6 what the caller sees. */
const read = (which: string) => `
  select pp.portfolio_id, pp.project_id, p.key as project_key, p.name, ${percentOf("measured.progress")} as progress_pct,
         pp.added_at
  from portfolio_project pp join project p on p.id = pp.project_id,
       lateral (select ${projectProgress("p.id")} as progress) measured
  where pp.workspace_id = $1 and pp.portfolio_id = $2 and ${visible(3)} and ${which}
  order by ${byName("p.name")}, p.id`;

/** Returns the projects of a portfolio that the caller can see, by name. */
export const listProjects = ({ db, workspace, principal }: InWorkspace, portfolioId: string) =>
  db.query<PortfolioProjectView>({ name: "list_portfolio_projects", text: read("true") }, [
    workspace.id,
    portfolioId,
    ...visibility(principal),
  ]);

/** Returns a project of a portfolio; null if it is not in the portfolio or the caller cannot see it. */
export async function readProject(
  { db, workspace, principal }: InWorkspace,
  portfolioId: string,
  projectId: string,
): Promise<PortfolioProjectView | null> {
  const [row] = await db.query<PortfolioProjectView>(
    { name: "read_portfolio_project", text: read("pp.project_id = $7") },
    [workspace.id, portfolioId, ...visibility(principal), projectId],
  );
  return row ?? null;
}

/** Counts all projects of a portfolio, whether or not the caller can see them. */
export async function countProjects({ db, workspace }: InWorkspace, portfolioId: string): Promise<number> {
  const text = `select count(*) as projects from portfolio_project where workspace_id = $1 and portfolio_id = $2`;
  const [row] = await db.query<{ projects: number }>({ name: "count_portfolio_projects", text }, [
    workspace.id,
    portfolioId,
  ]);
  return row!.projects;
}

/** Locks a project against changes of who sees it, and against archiving. */
export async function lockVisibility(ctx: InWorkspace & Writing, projectId: string) {
  const [row] = await ctx.db.query<{ scoped: boolean; archived_at: string | null }>(
    {
      name: "lock_visibility",
      text: `select scoped, archived_at from project where workspace_id = $1 and id = $2 for share`,
    },
    [ctx.workspace.id, projectId],
  );
  ctx.waited();
  return row!;
}

export async function insertProject(ctx: InWorkspace, portfolioId: string, projectId: string): Promise<void> {
  const text = `
    insert into portfolio_project (portfolio_id, project_id, workspace_id, added_at) values ($2, $3, $1, $4)`;
  await ctx.db.query({ name: "insert_portfolio_project", text }, [ctx.workspace.id, portfolioId, projectId, ctx.now]);
}

/** Removes a project from a portfolio. Returns whether it was in the portfolio. */
export async function deleteProject(
  { db, workspace }: InWorkspace,
  portfolioId: string,
  projectId: string,
): Promise<boolean> {
  const text = `
    delete from portfolio_project where workspace_id = $1 and portfolio_id = $2 and project_id = $3 returning 1`;
  return (
    (await db.query({ name: "delete_portfolio_project", text }, [workspace.id, portfolioId, projectId])).length > 0
  );
}

/** Removes all projects from a portfolio. Returns how many it had. */
export async function removeAllProjects({ db, workspace }: InWorkspace, portfolioId: string): Promise<number> {
  const text = `delete from portfolio_project where workspace_id = $1 and portfolio_id = $2 returning 1`;
  return (await db.query({ text }, [workspace.id, portfolioId])).length;
}
