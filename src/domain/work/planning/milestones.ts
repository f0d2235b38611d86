import { record, recordChange } from "../../events/record.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { readId } from "../../kernel/ids.ts";
import { lockBoard, onBoard } from "../../kernel/locks.sql.ts";
import { withDays } from "../../kernel/whole-days.ts";
import { Milestone } from "./entities.ts";
import { milestoneCompleted, milestoneCreated, milestoneDeleted, milestoneUpdated } from "./events.ts";
import type { MilestoneCreateInput, MilestonePatchInput } from "./inputs.ts";
import { changesOf, checkOrder, commonColumns, DATES, softDelete } from "./planned.ts";
import { readsOf } from "./reads.ts";
import { type MilestoneView, milestoneView, type PlanningDeleted } from "./views.ts";

export const { listPage, read } = readsOf("milestone", milestoneView);

/** Locks the board and returns a milestone. @throws Refusal archived */
export async function byId(ctx: InProject & Writing, text: string): Promise<Milestone | null> {
  const id = readId(text);
  const live = { project_id: ctx.project.id, deleted_at: null };
  return id ? onBoard(ctx, () => ctx.em.findOne(Milestone, { id, ...live })) : null;
}

/** @throws Refusal invalid_reference, validation_failed, mutually_exclusive */
export async function create(ctx: InProject & Writing, input: MilestoneCreateInput): Promise<MilestoneView> {
  const {
    status,
    description_md = null,
    start_at = null,
    start_on = null,
    due_at = null,
    due_on = null,
  } = withDays(DATES.milestone, input, null);
  checkOrder({ at: start_at, on: start_on }, { at: due_at, on: due_on }, "due_at");
  await lockBoard(ctx);
  const milestone = ctx.em.create(Milestone, {
    ...(await commonColumns(ctx, "milestone", input)),
    status,
    description_md,
    start_at,
    start_on,
    due_at,
    due_on,
    completed_at: status === "completed" ? ctx.now : null,
  });
  await ctx.em.flush();
  const view = await viewOf(ctx, milestone.id);
  record(ctx, milestoneCreated, view);
  if (status === "completed") record(ctx, milestoneCompleted, view);
  return view;
}

/** A call that changes nothing records nothing. @throws Refusal as for create */
export async function change(
  ctx: InProject & Writing,
  milestone: Milestone,
  wanted: MilestonePatchInput,
): Promise<MilestoneView> {
  const before = await viewOf(ctx, milestone.id);
  const changes = await changesOf(ctx, "milestone", before, wanted);
  if (Object.keys(changes).length === 0) return before;
  const next = { ...before, ...changes };
  checkOrder({ at: next.start_at, on: next.start_on }, { at: next.due_at, on: next.due_on }, "due_at");

  const completes = changes.status === "completed";
  const stamp = changes.status === undefined ? {} : { completed_at: completes ? ctx.now : null };
  Object.assign(milestone, changes, stamp, { updated_at: ctx.now });
  await ctx.em.flush();
  const view = await viewOf(ctx, milestone.id);
  recordChange(ctx, completes ? milestoneCompleted : milestoneUpdated, before, view);
  return view;
}

export async function remove(ctx: InProject & Writing, milestone: Milestone): Promise<PlanningDeleted> {
  const last = await viewOf(ctx, milestone.id);
  return softDelete(ctx, "milestone", milestone, () => record(ctx, milestoneDeleted, last));
}

const viewOf = async (ctx: InProject, id: string): Promise<MilestoneView> => (await read(ctx, id))!;
