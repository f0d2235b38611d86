import { audit } from "../../events/audit/audit.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { lockIssue } from "../../work/issues/change.sql.ts";
import { refuseArchivedIssue } from "../../work/issues/lock-live.ts";
import { canReopen, type Ending, reopen } from "../workflows/machine.ts";
import { advanceRun } from "./advance-run.ts";
import { stepOf } from "./complete.ts";
import { workflowRunErrors } from "./errors.ts";
import { workflowRunForced } from "./events.ts";
import { openRun } from "./open-run.ts";
import type { StageRow } from "./rows.ts";
import { lockStartable, makeOpen } from "./runs.sql.ts";
import type { WorkflowRunDetailView } from "./view.ts";

/**
 * Ends all active stages along their good path, or reopens the failed stages of a failed run. Admins and the one who
 * started the run may do this.
 * @throws Refusal insufficient_role, run_finished, run_already_active, archived
 */
export async function forceAdvance(
  ctx: InWorkspace & Writing,
  { id, workflow_id }: { id: string; workflow_id: string },
): Promise<WorkflowRunDetailView> {
  // Runs of a deleted workflow are cancelled once, so none is opened afterwards.
  const workflow = await lockStartable(ctx, workflow_id);
  const open = (await openRun(ctx, ctx.workspace.id, id))!;
  const { run, flow, stages } = open;
  const { role, user_id } = ctx.principal;
  if (!isAdmin(role) && run.started_by !== user_id) refuse("insufficient_role", { role, required_role: "admin" });
  const isReopened = run.status === "failed" && workflow !== null && canReopen(flow.graph, stages);
  if (run.status !== "running" && !isReopened) refuse(workflowRunErrors.run_finished, { status: run.status });
  if (isReopened) {
    const run_id = await makeOpen(ctx, run);
    if (run_id) refuse(workflowRunErrors.run_already_active, { run_id });
    refuseArchivedIssue(await lockIssue(open.ctx, run.issue_id));
    audit(ctx, workflowRunForced, { id, name: null }, { status: ["failed", "running"] });
    return advanceRun(open, (evaluate) => reopen(flow.graph, stages, evaluate));
  }
  const endings = new Map<string, Ending>();
  const notes = new Map<string, Partial<StageRow>>();
  for (const { id: nodeId, kind } of flow.graph.order) {
    if (stages.get(nodeId)!.state !== "active") continue;
    endings.set(nodeId, kind === "approval" ? "approved" : "forced");
    notes.set(nodeId, { completed_by: ctx.principal.user_id });
  }
  audit(ctx, workflowRunForced, { id, name: null }, { stages: [[...endings.keys()], null] });
  return advanceRun(open, stepOf(open, endings), notes);
}
