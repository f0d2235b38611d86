import { record, recordChange } from "../../events/record.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { refuse, refuseField, refuseReference } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { lockBoard, onBoard } from "../../kernel/locks.sql.ts";
import { withDays } from "../../kernel/whole-days.ts";
import { issueErrors } from "../issues/errors.ts";
import { changeIssues } from "../mass-changes/change-issues.ts";
import { areColumnsUnderway, isUnderway } from "../mass-changes/mass-changes.sql.ts";
import { Sprint } from "./entities.ts";
import { sprintCompleted, sprintCreated, sprintDeleted, sprintStarted, sprintUpdated } from "./events.ts";
import type { SprintCreateInput, SprintPatchInput } from "./inputs.ts";
import { changesOf, checkOrder, commonColumns, DATES, softDelete } from "./planned.ts";
import { readPlanned } from "./planning.sql.ts";
import { readsOf } from "./reads.ts";
import { takeSnapshot } from "./sprint-snapshots.sql.ts";
import { type PlanningDeleted, type SprintView, sprintView } from "./views.ts";

/**
 * Sprints. At most one sprint of a project is active. Starting another one sets it back to planned in the same
 * transaction.
 */

export const { listPage, read } = readsOf("sprint", (row) => sprintView(row));

/** Locks the board and returns a sprint. @throws Refusal archived */
export const byId = (ctx: InProject & Writing, text: string): Promise<Sprint | null> =>
  onBoard(ctx, () => find(ctx, text));

async function find(ctx: InProject & Writing, text: string): Promise<Sprint | null> {
  const id = readId(text);
  return id ? ctx.em.findOne(Sprint, { id, project_id: ctx.project.id, deleted_at: null }) : null;
}

/** @throws Refusal invalid_reference, validation_failed, mutually_exclusive */
export async function create(ctx: InProject & Writing, input: SprintCreateInput): Promise<SprintView> {
  const {
    status,
    goal = null,
    start_at = null,
    start_on = null,
    end_at = null,
    end_on = null,
    capacity_points = null,
  } = withDays(DATES.sprint, input, null);
  checkOrder({ at: start_at, on: start_on }, { at: end_at, on: end_on }, "end_at");
  await lockBoard(ctx);
  const sprint = ctx.em.create(Sprint, {
    ...(await commonColumns(ctx, "sprint", input)),
    status: "planned",
    goal,
    start_at,
    start_on,
    end_at,
    end_on,
    capacity_points,
  });
  await ctx.em.flush();
  const demoted = status === "planned" ? null : await enter(ctx, sprint, status);
  const view = await viewOf(ctx, sprint.id, demoted);
  record(ctx, sprintCreated, view);
  if (status !== "planned") record(ctx, eventOf(status), view);
  return view;
}

/** A call that changes nothing records nothing. @throws Refusal as for create */
export async function change(
  ctx: InProject & Writing,
  sprint: Sprint,
  { move_open_issues_to, ...wanted }: SprintPatchInput,
): Promise<SprintView> {
  const before = await viewOf(ctx, sprint.id);
  const asks = wanted.status !== undefined && (wanted.status !== before.status || Boolean(move_open_issues_to));
  if (asks && (await isUnderway(ctx, sprint.id))) {
    refuse("invalid_state_change", {
      message: "Open issues are still moving from one sprint to the next. Change the status again in a minute.",
    });
  }
  const successor = await successorOf(ctx, sprint, wanted.status, move_open_issues_to);
  // Which issues are open is known when their columns have changed.
  if (successor !== undefined && (await areColumnsUnderway(ctx))) {
    refuse("invalid_state_change", {
      message: "Issues are still changing with their columns. Complete the sprint again in a minute.",
    });
  }
  const { status, ...fields } = await changesOf(ctx, "sprint", before, wanted);
  const next = { ...before, ...fields };
  checkOrder({ at: next.start_at, on: next.start_on }, { at: next.end_at, on: next.end_on }, "end_at");

  const isChanged = status !== undefined || Object.keys(fields).length > 0;
  if (isChanged) Object.assign(sprint, fields, { updated_at: ctx.now });
  const demoted = status === undefined ? null : await enter(ctx, sprint, status);
  await ctx.em.flush();
  if (successor !== undefined) {
    await changeIssues(ctx, { kind: "open_of_sprint", target_id: sprint.id, to_id: successor?.id ?? null });
  }
  const view = await viewOf(ctx, sprint.id, demoted);
  if (isChanged) recordChange(ctx, eventOf(status), before, view);
  return view;
}

export async function remove(ctx: InProject & Writing, sprint: Sprint): Promise<PlanningDeleted> {
  const last = await viewOf(ctx, sprint.id);
  return softDelete(ctx, "sprint", sprint, () => record(ctx, sprintDeleted, last));
}

const eventOf = (status: Sprint["status"] | undefined) =>
  status === "active" ? sprintStarted : status === "completed" ? sprintCompleted : sprintUpdated;

/**
 * Changes a sprint's status, with its times and snapshots. Returns the id of the sprint that it replaces as the active
 * one.
 */
async function enter(ctx: InProject & Writing, sprint: Sprint, status: Sprint["status"]): Promise<string | null> {
  const demoted = status === "active" ? await demoteActive(ctx) : null;
  if (sprint.status === "completed") {
    // A completed sprint that is reopened gets a new commitment when it starts.
    Object.assign(sprint, { completed_at: null, ...committed(null) });
  }
  if (status === "completed") sprint.completed_at = ctx.now;
  if (status === "active") sprint.started_at ??= ctx.now;
  sprint.status = status;
  // From here on, calls that add issues to the sprint wait, so the snapshot misses none.
  await ctx.em.flush();

  if (status === "completed") await takeSnapshot(ctx, sprint.id, "completion");
  if (status === "active" && sprint.committed_issues === null) {
    Object.assign(sprint, committed(await takeSnapshot(ctx, sprint.id, "commitment")));
    await ctx.em.flush();
  }
  return demoted;
}

const committed = (scope: Awaited<ReturnType<typeof takeSnapshot>> | null) => ({
  committed_issues: scope?.issues ?? null,
  committed_points: scope?.points ?? null,
  committed_minutes: scope?.minutes ?? null,
});

/** Sets the active sprint back to planned. The board is locked, so no other call starts one. */
async function demoteActive(ctx: InProject & Writing): Promise<string | null> {
  const active = await ctx.em.findOne(Sprint, { project_id: ctx.project.id, status: "active", deleted_at: null });
  if (!active) return null;
  const before = await viewOf(ctx, active.id);
  Object.assign(active, { status: "planned", updated_at: ctx.now });
  // Written before the other sprint becomes active, because the unique index never allows two.
  await ctx.em.flush();
  recordChange(ctx, sprintUpdated, before, await viewOf(ctx, active.id));
  return active.id;
}

/** Returns the sprint that open issues move to; null for none, undefined if they stay. @throws Refusal */
async function successorOf(
  ctx: InProject & Writing,
  sprint: Sprint,
  status: Sprint["status"] | undefined,
  wanted: string | null | undefined,
): Promise<Sprint | null | undefined> {
  if (wanted === undefined || wanted === null) return undefined;
  const field = "/move_open_issues_to";
  if (status !== "completed") refuseField(field, "not_allowed", "is only allowed with status completed");
  if (wanted.trim().toLowerCase() === "backlog") return null;
  const successor = await find(ctx, wanted);
  if (!successor || successor.id === sprint.id) refuseReference(field, wanted);
  if (successor.status === "completed") {
    refuse(issueErrors.sprint_completed, { path: field, sprint_id: successor.id });
  }
  return successor;
}

async function viewOf(ctx: InProject, id: string, demotedId: string | null = null): Promise<SprintView> {
  return sprintView((await readPlanned(ctx, "sprint", id))!, demotedId);
}
