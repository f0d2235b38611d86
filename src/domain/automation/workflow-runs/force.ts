import { audit } from "../../events/audit/audit.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import type { ActivityLine } from "../../kernel/recorded.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { lockIssue } from "../../work/issues/change.sql.ts";
import { refuseArchivedIssue } from "../../work/issues/lock-live.ts";
import { reopen, reopenable } from "../workflows/machine.ts";
import { nodeNames } from "../workflows/node-names.ts";
import { advanceRun } from "./advance-run.ts";
import { stepOf } from "./complete.ts";
import { asksOthers } from "./entitled.ts";
import { workflowRunErrors } from "./errors.ts";
import { workflowRunForced } from "./events.ts";
import type { WorkflowAdvanceInput } from "./inputs.ts";
import { type OpenRun, openRun } from "./open-run.ts";
import { type FlowNode, type RunRow, titleOf } from "./rows.ts";
import { lockStartable, makeOpen } from "./runs.sql.ts";
import { runSeenBy } from "./seen-by.ts";
import type { WorkflowRunDetailView } from "./view.ts";

/**
 * Ends active stages by force, or reopens the failed stages of a failed run. Nothing is approved in this way: a stage for
 * approval ends as not approved.
 * @throws Refusal insufficient_role, run_finished, run_already_active, archived, no_active_stage, invalid_reference
 */
export async function forceAdvance(
  ctx: InWorkspace & Writing,
  { id, workflow_id }: { id: string; workflow_id: string },
  { node_ids }: WorkflowAdvanceInput,
): Promise<WorkflowRunDetailView> {
  // Runs of a deleted workflow are cancelled once, so none is opened afterwards.
  const workflow = await lockStartable(ctx, workflow_id);
  const open = (await openRun(ctx, ctx.workspace.id, id))!;
  const { run, flow, stages } = open;
  const isRunning = run.status === "running";
  const nodes: readonly FlowNode[] = isRunning ? activeStages(open, node_ids) : reopenable(flow.graph, stages);
  await checkMayForce(ctx, open, nodes);
  const target = { id, name: open.issue.key, project_id: run.project_id };
  if (isRunning) {
    audit(ctx, workflowRunForced, target, { stages: [nodeNames({ nodes }), "forced"] });
    const endings = new Map(nodes.map((node) => [node.id, "forced" as const]));
    const notes = new Map(nodes.map((node) => [node.id, { completed_by: ctx.principal.user_id }]));
    const lines: ActivityLine[] = [{ kind: "workflow_forced", payload: said(open, nodes) }];
    return runSeenBy(ctx, await advanceRun(open, stepOf(open, endings), notes, lines));
  }
  if (run.status !== "failed" || workflow === null || nodes.length === 0) {
    refuse(workflowRunErrors.run_finished, { status: run.status });
  }
  if (node_ids && node_ids.length > 0) activeStages(open, node_ids);
  const run_id = await makeOpen(ctx, run);
  if (run_id) refuse(workflowRunErrors.run_already_active, { run_id });
  refuseArchivedIssue(await lockIssue(open.ctx, run.issue_id));
  audit(ctx, workflowRunForced, target, { status: ["failed", "running"], stages: [nodeNames({ nodes }), "reopened"] });
  const lines: ActivityLine[] = [{ kind: "workflow_reopened", payload: said(open, nodes) }];
  return runSeenBy(ctx, await advanceRun(open, (evaluate) => reopen(flow.graph, stages, evaluate), new Map(), lines));
}

/**
 * The active stages, or the named ones of them: a stage that became active after the caller read the run is not skipped.
 * @throws Refusal no_active_stage, invalid_reference
 */
function activeStages({ flow, stages }: OpenRun, named: WorkflowAdvanceInput["node_ids"]): readonly FlowNode[] {
  const active = flow.graph.order.filter((node) => stages.get(node.id)!.state === "active");
  if (named === undefined) return active;
  for (const [n, id] of named.entries()) if (!flow.graph.nodes.has(id)) refuseReference(`/node_ids/${n}`, id);
  const nodes = active.filter(({ id }) => named.includes(id));
  if (nodes.length > 0 && nodes.length === new Set(named).size) return nodes;
  const message = "Not all stages in node_ids are active. The active ones are in details.node_ids.";
  return refuse(workflowRunErrors.no_active_stage, { message, node_ids: active.map(({ id }) => id) });
}

/**
 * Admins may force every stage. The one who started the run may force those for which no other person is asked: no
 * approval, and no stage of somebody else.
 * @throws Refusal insufficient_role
 */
async function checkMayForce({ principal }: InWorkspace, open: OpenRun, nodes: readonly FlowNode[]): Promise<void> {
  const { role, user_id } = principal;
  if (isAdmin(role)) return;
  if (starterOf(open.run) !== user_id) refuse("insufficient_role", { role, required_role: "admin" });
  const others: string[] = [];
  for (const node of nodes) if (await asksOthers(open, principal, node)) others.push(node.id);
  if (others.length === 0) return;
  const message = "Only owners and admins may skip an approval, or the stage of somebody else.";
  refuse("insufficient_role", { message, role, required_role: "admin", node_ids: others });
}

/** The caller who started a run. Null for runs that automations and other runs have started in somebody's name. */
const starterOf = ({ started_by, automation_id, root_event_id }: RunRow): string | null =>
  automation_id === null && root_event_id === null ? started_by : null;

/** A line of the issue's history about stages. */
const said = ({ run, flow }: OpenRun, nodes: readonly FlowNode[]) => ({
  field: "active_workflow_run_id",
  run_id: run.id,
  workflow_name: flow.name,
  node_ids: nodes.map(({ id }) => id),
  to_name: nodes.map(titleOf).join(", "),
});
