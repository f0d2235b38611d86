import { actFor, type Unable } from "../../access/identity/act-as.ts";
import { BY_PERSON, lackingScope } from "../../access/identity/set-up-by.ts";
import { type Background, write } from "../../events/background.ts";
import { record } from "../../events/record.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import type { Acting, Effect, Running } from "../actions/action.ts";
import type { ActionInput } from "../actions/inputs.ts";
import { applyAction, lockBefore, targetsOf, withoutTarget } from "../actions/run.ts";
import { runsSeenBy } from "../automations/runs.ts";
import { visibleIssues } from "../seen/issues.sql.ts";
import { receiversIn } from "../seen/viewer.ts";
import { automationRunFailed } from "./events.ts";
import type { ClaimedRun } from "./runs.sql.ts";
import { advanceRun, type EndedRun, type Ending, endRun, lockRun, type Progress } from "./step.sql.ts";
import { type Applied, automationRunView, type RunStatus } from "./view.ts";

/**
 * The steps of a run. Each is one transaction, which applies an action to one of its targets and stores that it did. So
 * every action has its effect once, whatever happens between two steps.
 */
export type Stepped =
  | { state: "continues"; lease_until: string; next_action: number }
  | { state: "ended"; ended: EndedRun }
  /** Another process has the run. */
  | { state: "lost" };

/**
 * The context in which the run of an automation acts: with the rights that its creator has now, within the limits of the
 * key that set it up. `rights` also if the issue of the run is not visible, or if the key may not read what started it.
 */
export async function actAsCreator(ctx: Background, run: ClaimedRun): Promise<(Background & InWorkspace) | Unable> {
  const { automation_id: id, workspace_id: workspaceId, plan, root_event_id, depth } = run;
  const acting = await actFor(ctx, {
    ...{ workspaceId, userId: plan.creator_id },
    // Runs that began before keys were kept have none.
    by: plan.key_id ? plan : BY_PERSON,
    through: { kind: "automation", id, name: plan.name },
    cause: { automation_id: id, root_event_id, depth },
  });
  if (typeof acting === "string") return acting;
  if (lackingScope(acting.principal, plan.reads ?? []) !== null) return "rights";
  if (run.issue_id === null) return acting;
  return (await visibleIssues(acting, [run.issue_id])).size > 0 ? acting : "rights";
}

/** Applies the next action to its next target. @throws Refusal, or an error of the transaction, which changed nothing */
export function applyNext(acting: Background & InWorkspace, run: ClaimedRun, action: ActionInput): Promise<Stepped> {
  return write(acting, run.workspace_id, async (tx): Promise<Stepped> => {
    await lockBefore(tx, action);
    const progress = await lockRun(tx, run);
    if (!progress) return { state: "lost" };
    const running = runningOf(run);
    const targets = progress.targets ?? (await targetsOf(tx, action, running)) ?? [null];
    const effect = await apply(tx, action, running, targets, progress);
    const applied = { ...effect, type: action.type, issue_id: targets[progress.next_target] ?? null };
    return proceed(tx, run, { ...progress, targets }, applied);
  });
}

async function apply(tx: Acting, action: ActionInput, running: Running, targets: (string | null)[], at: Progress) {
  if (targets.length === 0) return { ok: true, detail: withoutTarget(running) };
  const effect: Effect = await applyAction(tx, action, running, targets[at.next_target] ?? null);
  return { ok: true, detail: effect.result === "skipped" ? `Skipped: ${effect.detail}` : effect.detail };
}

/** Stores that the next action failed, and goes on or ends as the automation says. */
export function failNext(
  acting: Background & InWorkspace,
  run: ClaimedRun,
  action: ActionInput,
  detail: string,
): Promise<Stepped> {
  return write(acting, run.workspace_id, async (tx): Promise<Stepped> => {
    await lockBefore(tx, action);
    const progress = await lockRun(tx, run);
    if (!progress) return { state: "lost" };
    const targets = progress.targets ?? (await targetsOf(tx, action, runningOf(run))) ?? [null];
    const issue_id = targets[progress.next_target] ?? null;
    return proceed(tx, run, { ...progress, targets }, { type: action.type, ok: false, detail, issue_id });
  });
}

/** Ends a run whose creator lacks the rights for it. `ending` runs in the same transaction, before the run is locked. */
export function endWithoutRights(
  ctx: Background,
  run: ClaimedRun,
  failed: Applied | null,
  detail: string,
  before: (tx: Background & Writing & Pick<InWorkspace, "workspace">) => Promise<void>,
): Promise<Stepped> {
  return write(inWorkspace(ctx, run), run.workspace_id, async (tx): Promise<Stepped> => {
    await before(tx);
    if (!(await lockRun(tx, run))) return { state: "lost" };
    return end(tx, run, { status: "error", reason: "rights", detail, applied: failed });
  });
}

type InRun = Writing & Pick<InWorkspace, "workspace">;

/** Events need the workspace's id alone. */
const inWorkspace = (ctx: Background, { workspace_id: id }: ClaimedRun) =>
  ({ ...ctx, workspace: { id } }) as Background & Pick<InWorkspace, "workspace">;

async function proceed(tx: InRun, run: ClaimedRun, progress: Progress, applied: Applied): Promise<Stepped> {
  const { next_action, next_target, targets } = progress;
  const { actions, on_error } = run.plan;
  const hasMore = targets !== null && next_target + 1 < targets.length;
  const next = hasMore
    ? { next_action, next_target: next_target + 1, targets }
    : { next_action: next_action + 1, next_target: 0, targets: null };
  const isOver = next.next_action >= actions.length || (!applied.ok && on_error === "stop");
  if (!isOver) {
    const lease_until = await advanceRun(tx, run, next, applied);
    return { state: "continues", lease_until, next_action: next.next_action };
  }
  const all = [...(progress.actions_applied ?? []), applied];
  const failed = all.filter(({ ok }) => !ok);
  const detail = failed.length === 0 ? null : (failed[0]!.detail ?? null);
  return end(tx, run, { status: statusOf(all.length, failed.length), reason: null, detail, applied });
}

function statusOf(all: number, failed: number): RunStatus {
  if (failed === 0) return "ok";
  return failed < all ? "partial" : "error";
}

async function end(tx: InRun, run: ClaimedRun, ending: Ending): Promise<Stepped> {
  const ended = await endRun(tx, run, ending);
  if (ended.status === "error") {
    const { project_id, failures_in_a_row: _, ...row } = ended;
    const place = { ...tx, project: { id: project_id } };
    const [seen] = await runsSeenBy(receiversIn(tx, project_id), [row]);
    record(place, automationRunFailed, automationRunView(seen!), ended.issue_id ? { issue_id: ended.issue_id } : {});
  }
  return { state: "ended", ended };
}

const runningOf = ({ id, automation_id, issue_id, trigger, plan }: ClaimedRun): Running => ({
  issueId: issue_id,
  values: plan.values,
  triggeringUserId: plan.triggering_user_id,
  ordinal: plan.ordinal,
  source: { kind: "automation", id: automation_id, name: plan.name, runId: id, trigger },
});
