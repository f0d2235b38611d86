import { writeRecorded } from "../../events/events.sql.ts";
import { record, recordChange } from "../../events/record.ts";
import { type Found, ofMembers } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { enforcePlanLimit } from "../../kernel/plan-limit.ts";
import { lockMembers } from "../../tenancy/workspaces/roles.ts";
import { clearFromGoals } from "../goals/goals.sql.ts";
import { ownerNamed } from "../goals/references.ts";
import { type Before, recordGoals, rollUp } from "../goals/roll-up.ts";
import { countForGoals } from "../key-results/recount.ts";
import { PortfolioEntity } from "./entities.ts";
import { portfolioCreated, portfolioDeleted, portfolioUpdated } from "./events.ts";
import type { PortfolioCreateInput, PortfolioPatchInput } from "./inputs.ts";
import { countPortfolios, listPortfolios, readPortfolios } from "./portfolios.sql.ts";
import { removeAllProjects } from "./projects.sql.ts";
import { announcedView, type PortfolioDeleted, type PortfolioRow, type PortfolioView, portfolioView } from "./view.ts";

/** Portfolios, which group goals and projects. Every change locks the workspace, as every change of a goal does. */

/** Returns a page of portfolios, newest first. Guests see none. */
export async function listPage(ctx: InWorkspace, paging: Paging) {
  const rows = ctx.principal.role === "guest" ? [] : await listPortfolios(ctx, paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, (row) => [row.created_at, row.id]);
  return { rows: page.rows.map(portfolioView), next_cursor: page.next_cursor };
}

export async function read(ctx: InWorkspace, text: string): Promise<Found<PortfolioView> | null> {
  const id = readId(text);
  const [row] = id ? await readPortfolios(ctx, [id]) : [];
  return ofMembers(row ? portfolioView(row) : null);
}

/** Locks the workspace and returns a portfolio. @throws Refusal insufficient_role if the caller is no longer an admin */
export async function byId(ctx: InWorkspace & Writing, text: string): Promise<Found<PortfolioEntity> | null> {
  const id = readId(text);
  if (!id) return null;
  await lockMembers(ctx);
  const portfolio = await ctx.em.findOne(PortfolioEntity, { id, deleted_at: null });
  ctx.waited(portfolio?.updated_at);
  return ofMembers(portfolio);
}

/** @throws Refusal insufficient_role, invalid_reference, plan_limit_reached */
export async function create(ctx: InWorkspace & Writing, input: PortfolioCreateInput): Promise<PortfolioView> {
  await lockMembers(ctx);
  await enforcePlanLimit(ctx, "portfolios", () => countPortfolios(ctx));
  const { id } = ctx.em.create(PortfolioEntity, {
    ...input,
    lead_user_id: (await leadNamed(ctx, null, input.lead_user_id)) ?? null,
    id: newId(),
    workspace_id: ctx.workspace.id,
    created_by: ctx.principal.user_id,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  await ctx.em.flush();
  const row = await rowOf(ctx, id);
  record(ctx, portfolioCreated, announcedView(row));
  return portfolioView(row);
}

/** A call that changes nothing records nothing. @throws Refusal invalid_reference */
export async function change(
  ctx: InWorkspace & Writing,
  portfolio: PortfolioEntity,
  wanted: PortfolioPatchInput,
): Promise<PortfolioView> {
  const before = await rowOf(ctx, portfolio.id);
  const lead_user_id = await leadNamed(ctx, before.lead_user_id, wanted.lead_user_id);
  const changes = changesTo(before, { ...wanted, lead_user_id });
  if (Object.keys(changes).length === 0) return portfolioView(before);
  Object.assign(portfolio, changes, { updated_at: ctx.now });
  await ctx.em.flush();
  const after = await rowOf(ctx, portfolio.id);
  const { name, description_md, color, lead_user_id: lead } = before;
  const changed = { name, description_md, color, lead_user_id: lead };
  recordChange(ctx, portfolioUpdated, changed, announcedView(after));
  return portfolioView(after);
}

/** Number of goals whose key results are counted at a time. */
const BATCH = 100;

/** Deletes a portfolio. Its goals become goals of the company; its projects stay as they are. */
export async function remove(ctx: InWorkspace & Writing, portfolio: PortfolioEntity): Promise<PortfolioDeleted> {
  const { id } = portfolio;
  const last = await rowOf(ctx, id);
  Object.assign(portfolio, { deleted_at: ctx.now, updated_at: ctx.now });
  await ctx.em.flush();
  const goals = await clearFromGoals(ctx, "portfolio_id", id);
  const removed_project_count = await removeAllProjects(ctx, id);
  record(ctx, portfolioDeleted, announcedView(last));
  // Without a scope of their own, key results count the projects of the goal's portfolio, so they count others now.
  for (let at = 0; at < goals.length; at += BATCH) {
    await countForGoals(ctx, goals.slice(at, at + BATCH));
    // Each batch is stored at once, so that memory never contains more than one.
    await writeRecorded(ctx, ctx.recorded.splice(0));
  }
  const before: Map<string, Before> = await rollUp(ctx, goals);
  for (const goal of goals) before.set(goal, { ...before.get(goal), portfolio_id: id });
  await recordGoals(ctx, before);
  return { id, deleted: true, released_goal_count: goals.length, removed_project_count };
}

const leadNamed = <Ref extends string | null | undefined>(ctx: InWorkspace, present: string | null, ref: Ref) =>
  ownerNamed(ctx, present, ref, "/lead_user_id");

const rowOf = async (ctx: InWorkspace, id: string): Promise<PortfolioRow> => (await readPortfolios(ctx, [id]))[0]!;
