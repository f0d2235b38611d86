import { lockRole } from "../../access/identity/lock-role.ts";
import { requireScopes } from "../../access/identity/set-up-by.ts";
import { record, recordChange } from "../../events/record.ts";
import { type Found, ofMembers } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import { refuse } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { withDays } from "../../kernel/whole-days.ts";
import { readGoals, watchGoal } from "../goals/goals.sql.ts";
import { ownerNamed } from "../goals/references.ts";
import { recordGoals, rollUp } from "../goals/roll-up.ts";
import type { GoalRow } from "../goals/view.ts";
import { KeyResultEntity } from "./entities.ts";
import { keyResultErrors } from "./errors.ts";
import { keyResultCreated, keyResultDeleted, keyResultUpdated } from "./events.ts";
import type { KeyResultCreateInput, KeyResultPatchInput } from "./inputs.ts";
import { computeProgress, countKeyResults, listKeyResults, readKeyResults } from "./key-results.sql.ts";
import { readScope } from "./read-scope.ts";
import { countAnew } from "./recount.ts";
import type { KeyResultView } from "./view.ts";

/** Key results of a goal. Each change computes the progress of the goal and of all goals above it. */

/** Maximum number of key results of a goal, because their list has no pages. */
const MAX_KEY_RESULTS = 100;

/** Returns the goal that a path names. */
export async function goalInPath(ctx: InWorkspace, text: string): Promise<Found<GoalRow> | null> {
  const id = readId(text);
  const [goal] = id ? await readGoals(ctx, [id]) : [];
  return ofMembers(goal ?? null);
}

export const list = (ctx: InWorkspace, goal: GoalRow): Promise<KeyResultView[]> => listKeyResults(ctx, goal.id);

export async function read(ctx: InWorkspace, text: string, goal: GoalRow): Promise<Found<KeyResultView> | null> {
  const id = readId(text);
  const [row] = id ? await readKeyResults(ctx, [id]) : [];
  return ofMembers(row?.goal_id === goal.id ? row : null);
}

/** Locks the workspace and returns a key result. */
export async function byId(
  ctx: InWorkspace & Writing,
  text: string,
  goal: GoalRow,
): Promise<Found<KeyResultEntity> | null> {
  const id = readId(text);
  if (!id) return null;
  await lockRole(ctx);
  const keyResult = await ctx.em.findOne(KeyResultEntity, { id, goal_id: goal.id, deleted_at: null });
  ctx.waited(keyResult?.updated_at);
  return ofMembers(keyResult);
}

/** @throws Refusal not_found, invalid_reference, key_result_limit_reached */
export async function create(
  ctx: InWorkspace & Writing,
  { id: goalId }: GoalRow,
  input: KeyResultCreateInput,
): Promise<KeyResultView> {
  await lockRole(ctx);
  // The goal may have been deleted during the wait.
  const [goal] = await readGoals(ctx, [goalId]);
  if (!goal) refuse("not_found");
  if ((await countKeyResults(ctx, goal.id)) >= MAX_KEY_RESULTS) refuse(keyResultErrors.key_result_limit_reached);

  const { title, kind, unit = null, weight, measure } = input;
  const { due_at = null, due_on = null } = withDays(["due_at"], input, null);
  const { current_value = null, ...values } = { ...NO_VALUES, ...valuesFor(ctx, kind, input) };
  const owner_user_id = (await ownerNamed(ctx, null, input.owner_user_id)) ?? null;
  if (kind === "auto") requireScopes(ctx.principal, COUNTING, "An automatic key result");
  const scope = kind === "auto" && input.scope ? await readScope(ctx, input.scope, null) : null;
  const keyResult = ctx.em.create(KeyResultEntity, {
    id: newId(),
    workspace_id: ctx.workspace.id,
    goal_id: goal.id,
    title,
    kind,
    unit,
    ...values,
    current_value,
    weight,
    scope,
    measure,
    owner_user_id,
    due_at,
    due_on,
    updated_value_at: current_value === null ? null : ctx.now,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  await ctx.em.flush();
  if (kind === "auto") await countAnew(ctx, [keyResult.id]);
  const view = await measured(ctx, keyResult);
  record(ctx, keyResultCreated, view);
  await changeGoal(ctx, keyResult);
  return view;
}

/** The scopes for an automatic key result, because it shows how many issues there are. */
const COUNTING = ["issues:read"] as const;

/** A call that changes nothing records nothing. @throws Refusal immutable_field, invalid_reference */
export async function change(
  ctx: InWorkspace & Writing,
  keyResult: KeyResultEntity,
  { kind, ...wanted }: KeyResultPatchInput,
): Promise<KeyResultView> {
  if (kind !== undefined && kind !== keyResult.kind) {
    refuse("immutable_field", { message: "The kind of a key result cannot be changed.", path: "/kind" });
  }
  const before = await viewOf(ctx, keyResult.id);
  const owner = { owner_user_id: await ownerNamed(ctx, before.owner_user_id, wanted.owner_user_id) };
  const isAuto = keyResult.kind === "auto";
  const scope = isAuto && wanted.scope ? await readScope(ctx, wanted.scope, before.scope) : wanted.scope;
  const values = valuesFor(ctx, keyResult.kind, wanted);
  const changes = changesTo(before, {
    ...withDays(["due_at"], wanted, before),
    ...values,
    ...owner,
    scope: isAuto ? scope : undefined,
  });
  if (Object.keys(changes).length === 0) return before;
  if (changes.scope !== undefined || changes.measure !== undefined) {
    if (isAuto) requireScopes(ctx.principal, COUNTING, "An automatic key result");
  }

  const stamp = changes.current_value === undefined ? {} : { updated_value_at: ctx.now };
  Object.assign(keyResult, changes, stamp, { updated_at: ctx.now });
  await ctx.em.flush();
  if (isAuto && (changes.scope !== undefined || changes.measure !== undefined)) await countAnew(ctx, [keyResult.id]);
  const view = await measured(ctx, keyResult);
  recordChange(ctx, keyResultUpdated, before, view);
  await changeGoal(ctx, keyResult);
  return view;
}

export async function remove(ctx: InWorkspace & Writing, keyResult: KeyResultEntity) {
  const last = await viewOf(ctx, keyResult.id);
  Object.assign(keyResult, { deleted_at: ctx.now, updated_at: ctx.now });
  await ctx.em.flush();
  record(ctx, keyResultDeleted, last);
  await changeGoal(ctx, keyResult);
  return { id: keyResult.id, deleted: true };
}

type Values = Pick<KeyResultPatchInput, "start_value" | "target_value" | "current_value">;
const NO_VALUES = { start_value: null, target_value: null, current_value: null } satisfies Values;

/** The values that a body sends. An automatic key result has none; what was counted is in `completed` and `total`. */
function valuesFor(ctx: InWorkspace, kind: KeyResultView["kind"], sent: Values): Values {
  const { start_value, target_value, current_value } = sent;
  const values = { start_value, target_value, current_value };
  if (kind === "manual") {
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  }
  const fields = Object.entries(values).flatMap(([field, value]) => (typeof value === "number" ? [field] : []));
  if (fields.length > 0) {
    ctx.warnings.push({
      code: "values_ignored",
      message: `An automatic key result counts issues, so ${fields.join(", ")} is stored as null.`,
      fields,
    });
  }
  return NO_VALUES;
}

/** Computes the progress of a key result and returns it. */
async function measured(ctx: InWorkspace, { id }: KeyResultEntity): Promise<KeyResultView> {
  await computeProgress(ctx, [id]);
  return viewOf(ctx, id);
}

/** Computes the progress of the goal after one of its key results changed. Who changes it watches the goal. */
async function changeGoal(ctx: InWorkspace & Writing, { goal_id, owner_user_id }: KeyResultEntity): Promise<void> {
  await watchGoal(ctx, goal_id, [ctx.principal.user_id, owner_user_id]);
  await recordGoals(ctx, await rollUp(ctx, [goal_id]));
}

const viewOf = async (ctx: InWorkspace, id: string): Promise<KeyResultView> => (await readKeyResults(ctx, [id]))[0]!;
