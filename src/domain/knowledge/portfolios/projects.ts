import { readProjectAccess } from "../../access/identity/project-access.sql.ts";
import { recordChange } from "../../events/record.ts";
import { type Found, found, ofMembers, type ProjectAccess } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { lockMembers } from "../../tenancy/workspaces/roles.ts";
import { requestRecounts } from "../key-results/recount.sql.ts";
import { portfolioErrors } from "./errors.ts";
import { portfolioUpdated } from "./events.ts";
import { hasPortfolio, readPortfolios } from "./portfolios.sql.ts";
import {
  countProjects,
  deleteProject,
  insertProject,
  listProjects,
  lockVisibility,
  readProject,
} from "./projects.sql.ts";
import { announcedView, type PortfolioProjectRemoved, type PortfolioProjectView } from "./view.ts";

/** Projects of a portfolio. Callers see only those projects of it that they can see elsewhere. */

/** Maximum number of projects of a portfolio, because their list has no pages. */
const MAX_PROJECTS = 500;

type Portfolio = { id: string };

/** Returns the portfolio that a path names. */
export async function portfolioInPath(ctx: InWorkspace, text: string): Promise<Found<Portfolio> | null> {
  const id = readId(text);
  return ofMembers(id && (await hasPortfolio(ctx, id)) ? { id } : null);
}

export const list = (ctx: InWorkspace, portfolio: Portfolio): Promise<PortfolioProjectView[]> =>
  listProjects(ctx, portfolio.id);

/** Returns a project of the portfolio, named by id, key or slug. */
export async function read(
  ctx: InWorkspace,
  text: string,
  portfolio: Portfolio,
): Promise<Found<PortfolioProjectView> | null> {
  const project = await readProjectAccess(ctx, text);
  const row = project && (await readProject(ctx, portfolio.id, project.id));
  return row && found(row, project, "members");
}

/**
 * Locks the workspace and returns the project that a path names by id, key or slug, in the portfolio or not.
 * @throws Refusal insufficient_role
 */
export async function projectInPath(ctx: InWorkspace & Writing, text: string): Promise<Found<ProjectAccess> | null> {
  await lockMembers(ctx);
  const project = await readProjectAccess(ctx, text);
  return project && found(project, project, "members");
}

/**
 * Adds a project. Adding it again changes nothing. The issues of a project that only its members see do not count in
 * the portfolio, so that its progress tells others nothing about them; the caller is warned.
 * @throws Refusal insufficient_role, not_found, archived, portfolio_project_limit_reached
 */
export async function add(
  ctx: InWorkspace & Writing,
  { id }: Portfolio,
  project: ProjectAccess,
): Promise<PortfolioProjectView> {
  await lockMembers(ctx);
  // The portfolio may have been deleted during the wait.
  if (!(await hasPortfolio(ctx, id))) refuse("not_found");
  const { scoped, archived_at } = await lockVisibility(ctx, project.id);
  if (archived_at) refuse("archived", { archived_at });
  if (scoped) {
    ctx.warnings.push({
      code: "project_not_counted",
      message: "Only its members see this project, so its issues do not count in the portfolio's progress.",
    });
  }
  const present = await readProject(ctx, id, project.id);
  if (present) return present;
  if ((await countProjects(ctx, id)) >= MAX_PROJECTS) refuse(portfolioErrors.portfolio_project_limit_reached);
  await insertProject(ctx, id, project.id);
  if (!scoped) await recordProjectCount(ctx, id, project.id, 1);
  return (await readProject(ctx, id, project.id))!;
}

/** Removes a project. Removing one that is not in the portfolio changes nothing. @throws Refusal not_found */
export async function remove(
  ctx: InWorkspace & Writing,
  { id }: Portfolio,
  project: ProjectAccess,
): Promise<PortfolioProjectRemoved> {
  // The portfolio may have been deleted during the wait.
  if (!(await hasPortfolio(ctx, id))) refuse("not_found");
  const { scoped } = await lockVisibility(ctx, project.id);
  if ((await deleteProject(ctx, id, project.id)) && !scoped) await recordProjectCount(ctx, id, project.id, -1);
  return { portfolio_id: id, project_id: project.id, removed: true };
}

/**
 * Records that a project that all members see was added or removed; others leave no trace in events. The automatic key
 * results of the portfolio's goals count the project again.
 */
async function recordProjectCount(
  ctx: InWorkspace & Writing,
  id: string,
  projectId: string,
  by: 1 | -1,
): Promise<void> {
  await requestRecounts(ctx, [projectId]);
  const [row] = await readPortfolios(ctx, [id]);
  const view = announcedView(row!);
  recordChange(ctx, portfolioUpdated, { project_count: view.project_count - by }, view);
}
