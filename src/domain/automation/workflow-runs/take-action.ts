import { actFor, type Unable, unableText } from "../../access/identity/act-as.ts";
import { type Background, write } from "../../events/background.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { Refusal } from "../../kernel/errors.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { ActionInput } from "../actions/inputs.ts";
import { applyAction, lockBefore, targetsOf, withoutTarget } from "../actions/run.ts";
import { advanceRun } from "./advance-run.ts";
import { stepOf } from "./complete.ts";
import type { NextStage } from "./due.sql.ts";
import { type OpenRun, openRun } from "./open-run.ts";
import { causeOf, instrumentOf } from "./place.ts";
import type { Applied, Flow, FlowNode, StageRow } from "./rows.ts";
import { runningOf } from "./running.ts";
import { writeStages } from "./runs.sql.ts";

/**
 * Actions of a stage. Each action on each of its targets is one transaction, which also stores that it is done. So every
 * effect is there once, whatever happens between two of them, and however many workers try.
 */

/** Waits before an action is tried again, in milliseconds. */
const RETRY_MS = [500, 2_000, 8_000, 30_000, 120_000];

/** Takes the next action of a stage on its next target. A refusal, or too many faults, fail the stage. */
export async function takeAction(ctx: Background, flow: Flow, node: FlowNode, next: NextStage): Promise<void> {
  const given = node.config.actions?.[next.next_action];
  const action = ActionInput.safeParse(given);
  const named: Named = action.success ? action.data : { type: String(given?.type ?? "none") };
  if (!action.success) return fail(ctx, next, named, "The action is not valid any more.");
  const acting = await actAsCreator(ctx, flow, next);
  if (typeof acting === "string") return fail(ctx, next, named, `${CODES[acting]}: ${WHY[acting]}`);
  try {
    await write(acting, next.workspace_id, async (tx) => {
      await lockBefore(tx, action.data);
      const open = await atSameAction(tx, next);
      if (open) await apply(tx, open, node, action.data);
    });
  } catch (error) {
    if (error instanceof Refusal) return fail(ctx, next, named, `${error.code}: ${error.message}`);
    if (isOutage(error)) throw error;
    await noteFault(ctx, node, next, named, error);
  }
}

const CODES: Record<Unable, string> = { rights: "insufficient_role", credential_ended: "credential_ended" };
const WHY: Record<Unable, string> = {
  rights: "The admin who created the workflow is no admin any more.",
  credential_ended: unableText("credential_ended", "the workflow"),
};

/**
 * Actions have the rights of the admin who created the workflow, within the limits of the key that defined its graph and
 * the projects of the key that started the run.
 */
async function actAsCreator(
  ctx: Background,
  flow: Flow,
  next: NextStage,
): Promise<(Background & InWorkspace) | Unable> {
  const acting = await actFor(ctx, {
    workspaceId: next.workspace_id,
    userId: flow.created_by,
    by: flow,
    within: next.within,
    through: instrumentOf(flow),
    cause: causeOf(next),
  });
  return typeof acting === "string" || isAdmin(acting.principal.role) ? acting : "rights";
}

/** Locks the run. Null if another worker was faster, or the stage has ended. */
async function atSameAction(tx: Writing, next: NextStage): Promise<OpenRun | null> {
  const open = await openRun(tx, next.workspace_id, next.id);
  const stage = open?.stages.get(next.node_id);
  if (open?.run.status !== "running" || stage?.state !== "active") return null;
  const isSame = stage.next_action === next.next_action && stage.next_target === next.next_target;
  return isSame ? { ...open, isContinued: true } : null;
}

async function apply(tx: Background & InWorkspace & Writing, open: OpenRun, node: FlowNode, action: ActionInput) {
  const stage = open.stages.get(node.id)!;
  const running = await runningOf(open, action);
  const targets = stage.targets ?? (await targetsOf(tx, action, running)) ?? [null];
  const issue_id = targets[stage.next_target] ?? null;
  let detail: string | null = withoutTarget(running);
  if (targets.length > 0) {
    const effect = await applyAction(tx, action, running, issue_id);
    detail = effect.result === "skipped" ? `Skipped: ${effect.detail}` : effect.detail;
  }
  await proceed(open, node, { ...stage, targets }, { type: action.type, ok: true, detail, issue_id });
}

/** Stores that an action is done on a target. After the last one, the stage ends. */
async function proceed(open: OpenRun, node: FlowNode, stage: StageRow, applied: Applied): Promise<void> {
  const hasMore = stage.next_target + 1 < (stage.targets?.length ?? 0);
  const at = hasMore
    ? { next_target: stage.next_target + 1, targets: stage.targets }
    : { next_action: stage.next_action + 1, next_target: 0, targets: null };
  const after = {
    ...stage,
    ...at,
    faults: 0,
    error: null,
    actions_applied: appliedWith(stage, applied),
  };
  if (after.next_action < (node.config.actions?.length ?? 0)) return writeStages(open.ctx, [after]);
  await advanceRun(open, stepOf(open, new Map([[node.id, "success"]])), new Map([[node.id, after]]));
}

/** What is known of an action, even if it is not valid any more. */
type Named = { type: string; target?: string };

/** Ten actions on fifty issues each would make a run of 200 nodes too large to read. */
const MAX_APPLIED = 50;

/** What the actions did, with one more: the first ones, and the newest. */
const appliedWith = ({ actions_applied }: StageRow, newest: Applied): Applied[] => [
  ...(actions_applied ?? []).slice(0, MAX_APPLIED - 1),
  newest,
];

/** Ends the stage as failed. The actions that are done stay done. */
const fail = (ctx: Background, next: NextStage, { type, target }: Named, error: string): Promise<void> =>
  write(ctx, next.workspace_id, async (tx) => {
    const open = await atSameAction(tx, next);
    if (!open) return;
    const stage = open.stages.get(next.node_id)!;
    // The transaction that found the targets may have been rolled back.
    const issue_id = stage.targets?.[stage.next_target] ?? (target === "self" ? open.run.issue_id : null);
    const actions_applied = appliedWith(stage, { type, ok: false, detail: error, issue_id });
    const note = new Map([[next.node_id, { actions_applied, error }]]);
    await advanceRun(open, stepOf(open, new Map([[next.node_id, "failure"]])), note);
  });

/** Tries again later, up to the retries of the node. */
async function noteFault(
  ctx: Background,
  node: FlowNode,
  next: NextStage,
  named: Named,
  error: unknown,
): Promise<void> {
  const fields = { err: error, run_id: next.id, workspace_id: next.workspace_id, action: named.type };
  ctx.log.warn(fields, "an action of a workflow failed");
  const isOver = await write(ctx, next.workspace_id, async (tx) => {
    const open = await atSameAction(tx, next);
    if (!open) return false;
    const stage = open.stages.get(next.node_id)!;
    if (stage.faults >= (node.config.retries ?? 2)) return true;
    const due_at = new Date(Date.parse(tx.now) + RETRY_MS[stage.faults]!).toISOString();
    await writeStages(tx, [{ ...stage, faults: stage.faults + 1, attempts: stage.attempts + 1, due_at }]);
    return false;
  });
  if (isOver) await fail(ctx, next, named, "internal_error: The action failed for a reason of the service.");
}

/**
 * Whether an error means that Postgres is away, or that it undid the transaction because of others (class 40). Then the
 * job runs again, and the action is not to blame.
 */
const isOutage = (error: unknown): boolean =>
  /^(08|40|53|57|E[A-Z]+$)/.test(String((error as { code?: unknown }).code)) || /busy|terminated/i.test(String(error));
