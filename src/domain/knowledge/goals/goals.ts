import { lockRole } from "../../access/identity/lock-role.ts";
import { record } from "../../events/record.ts";
import { type Found, ofMembers } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import { refuse, refuseField } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { enforcePlanLimit } from "../../kernel/plan-limit.ts";
import { endsBefore, withDays } from "../../kernel/whole-days.ts";
import { keyResultDeleted } from "../key-results/events.ts";
import { listKeyResults } from "../key-results/key-results.sql.ts";
import { countForGoals } from "../key-results/recount.ts";
import { GoalEntity } from "./entities.ts";
import { goalDeleted } from "./events.ts";
import { clearFromGoals, countGoals, deleteKeyResultsOf, readGoals, watchGoal } from "./goals.sql.ts";
import type { GoalCreateInput, GoalPatchInput } from "./inputs.ts";
import { namedBy } from "./references.ts";
import { storeStandings } from "./roll-up.sql.ts";
import { type Before, recordGoals, rollUp } from "./roll-up.ts";
import { type GoalDeleted, type GoalView, goalView } from "./view.ts";

/**
 * Goals of a workspace. Every change of a goal or key result locks the workspace, so that trees have no cycles and every
 * sum includes all other changes. A caller who was removed meanwhile is refused, so nobody who left owns or watches a goal.
 */

/** Locks the workspace and returns a goal. */
export async function byId(ctx: InWorkspace & Writing, text: string): Promise<Found<GoalEntity> | null> {
  const id = readId(text);
  if (!id) return null;
  await lockRole(ctx);
  const goal = await ctx.em.findOne(GoalEntity, { id, deleted_at: null });
  ctx.waited(goal?.updated_at);
  return ofMembers(goal);
}

/** @throws Refusal invalid_reference, depth_limit_reached, validation_failed, plan_limit_reached */
export async function create(ctx: InWorkspace & Writing, input: GoalCreateInput): Promise<GoalView> {
  const {
    cycle_start_at = null,
    cycle_start_on = null,
    cycle_due_at = null,
    cycle_due_on = null,
    ...fields
  } = withDays(DATES, input, null);
  const cycle = { cycle_start_at, cycle_start_on, cycle_due_at, cycle_due_on };
  checkCycle(cycle);
  await lockRole(ctx);
  await enforcePlanLimit(ctx, "goals", () => countGoals(ctx));
  const named = await namedBy(ctx, null, input);
  const me = ctx.principal.user_id;
  const { id, parent_goal_id, owner_user_id } = ctx.em.create(GoalEntity, {
    ...fields,
    portfolio_id: named.portfolio_id ?? null,
    parent_goal_id: named.parent_goal_id ?? null,
    owner_user_id: named.owner_user_id === undefined ? me : named.owner_user_id,
    ...cycle,
    id: newId(),
    workspace_id: ctx.workspace.id,
    status: "not_started",
    version: 1,
    created_by: me,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  await ctx.em.flush();
  await watchGoal(ctx, id, [me, owner_user_id]);
  return recordAll(ctx, id, null, await rollUp(ctx, [id, parent_goal_id]));
}

/** A call that changes nothing records nothing. @throws Refusal as for create, and version_conflict, goal_cycle */
export async function change(
  ctx: InWorkspace & Writing,
  goal: GoalEntity,
  { if_version, ...wanted }: GoalPatchInput,
): Promise<GoalView> {
  const { id, version } = goal;
  if (if_version !== undefined && if_version !== version) refuse("version_conflict", { version });
  const before = await viewOf(ctx, id);
  const changes = changesTo(before, { ...withDays(DATES, wanted, before), ...(await namedBy(ctx, before, wanted)) });
  if (Object.keys(changes).length === 0) return before;
  checkCycle({ ...before, ...changes });
  Object.assign(goal, changes, { version: version + 1, updated_at: ctx.now });
  await ctx.em.flush();
  await watchGoal(ctx, id, [ctx.principal.user_id, goal.owner_user_id]);
  if (changes.portfolio_id !== undefined) await countForGoals(ctx, [id]);
  const oldParent = before.parent_goal_id === goal.parent_goal_id ? null : before.parent_goal_id;
  return recordAll(ctx, id, before, await rollUp(ctx, [id, goal.parent_goal_id, oldParent]));
}

/** Deletes a goal with its key results. The goals below it stay, without a parent. */
export async function remove(ctx: InWorkspace & Writing, goal: GoalEntity): Promise<GoalDeleted> {
  const { id, parent_goal_id } = goal;
  const last = await viewOf(ctx, id);
  Object.assign(goal, { deleted_at: ctx.now, updated_at: ctx.now, version: goal.version + 1 });
  await ctx.em.flush();
  const keyResults = await listKeyResults(ctx, id);
  await deleteKeyResultsOf(ctx, id);
  await storeStandings(ctx, [{ id, status: last.status, until: null }]);
  const orphans = await clearFromGoals(ctx, "parent_goal_id", id);
  record(ctx, goalDeleted, last);
  for (const keyResult of keyResults) record(ctx, keyResultDeleted, keyResult);
  const before = new Map<string, Before>(orphans.map((orphan) => [orphan, { parent_goal_id: id }]));
  for (const [above, shown] of await rollUp(ctx, [parent_goal_id])) before.set(above, shown);
  await recordGoals(ctx, before);
  return { id, deleted: true, orphaned_goal_count: orphans.length };
}

/** Records the change of a goal first, then those of the goals above. Returns the goal. */
async function recordAll(
  ctx: InWorkspace & Writing,
  id: string,
  before: GoalView | null,
  rolled: ReadonlyMap<string, Before>,
): Promise<GoalView> {
  const changes = new Map<string, Before | null>([[id, before]]);
  for (const [above, shown] of rolled) if (above !== id) changes.set(above, shown);
  return (await recordGoals(ctx, changes))!;
}

const viewOf = async (ctx: InWorkspace, id: string): Promise<GoalView> =>
  goalView(ctx, (await readGoals(ctx, [id]))[0]!);

const DATES = ["cycle_start_at", "cycle_due_at"] as const;

type Cycle = Pick<GoalView, "cycle_start_at" | "cycle_start_on" | "cycle_due_at" | "cycle_due_on">;

/** @throws Refusal validation_failed */
function checkCycle({ cycle_start_at, cycle_start_on, cycle_due_at, cycle_due_on }: Cycle): void {
  if (endsBefore({ at: cycle_due_at, on: cycle_due_on }, { at: cycle_start_at, on: cycle_start_on })) {
    refuseField("/cycle_due_at", "too_small", "must not be before cycle_start_at");
  }
}
