import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse, refuseField, refuseReference } from "../../kernel/errors.ts";
import { type Ending, end } from "../workflows/machine.ts";
import { advanceRun } from "./advance-run.ts";
import { voteOf } from "./approve.ts";
import { isApproved, mayComplete, replacedBy } from "./entitled.ts";
import { workflowRunErrors } from "./errors.ts";
import type { COMPLETIONS, WorkflowCompleteStageInput } from "./inputs.ts";
import { type OpenRun, openRun } from "./open-run.ts";
import { type FlowNode, isForPeople, type StageRow } from "./rows.ts";
import { runSeenBy } from "./seen-by.ts";
import type { WorkflowRunDetailView } from "./view.ts";

type Completion = (typeof COMPLETIONS)[number];

/**
 * Completes one stage, or all active stages that the caller may complete.
 * @throws Refusal run_finished, no_active_stage, not_stage_actor, invalid_reference
 */
export async function completeStage(
  ctx: InWorkspace & Writing,
  { id }: { id: string },
  body: WorkflowCompleteStageInput,
): Promise<WorkflowRunDetailView> {
  const open = (await openRun(ctx, ctx.workspace.id, id))!;
  const { status } = open.run;
  if (status === "failed") refuse(workflowRunErrors.run_finished, { status, message: FAILED });
  if (status !== "running") refuse(workflowRunErrors.run_finished, { status });
  const nodes = await completable(open, ctx, body.node_id);
  const fitting = nodes.filter(({ kind }) => fits(kind, body.outcome));
  if (fitting.length === 0) {
    const allowed = nodes[0]!.kind === "approval" ? ["approved", "rejected"] : ["success", "failure"];
    refuseField("/outcome", "not_allowed", `must be ${allowed.join(" or ")} for this stage`, { allowed });
  }

  const endings = new Map<string, Ending>();
  const notes = new Map<string, Partial<StageRow>>();
  for (const node of fitting) {
    const stage = open.stages.get(node.id)!;
    const given = {
      ...(body.note_md === undefined ? {} : { note_md: body.note_md || null }),
      ...(body.output === undefined ? {} : { output: JSON.stringify(body.output) }),
    };
    if (node.kind !== "approval") {
      endings.set(node.id, body.outcome === "failure" ? "failure" : "success");
      notes.set(node.id, { ...given, completed_by: ctx.principal.user_id });
      continue;
    }
    const outcome = body.outcome === "rejected" ? "rejected" : "approved";
    const by = ctx.principal.user_id;
    const approvals = voteOf(stage, { by, outcome, at: ctx.now }, await replacedBy(open, node, stage, by));
    const isOver = outcome === "rejected" || (await isApproved(open, node, approvals));
    // The same vote again changes nothing, unless earlier votes count again.
    if (!isOver && approvals === stage.approvals && Object.keys(given).length === 0) continue;
    if (isOver) endings.set(node.id, outcome);
    notes.set(node.id, { ...given, approvals, ...(isOver ? { completed_by: ctx.principal.user_id } : {}) });
  }
  if (body.output !== undefined) boundOutputs(open, notes);
  return runSeenBy(ctx, await advanceRun(open, stepOf(open, endings), notes));
}

/** Every step reads, checks and records all outputs of its run, so they are bounded together. */
const MAX_OUTPUTS_BYTES = 128 * 1024;

/** @throws Refusal validation_failed */
function boundOutputs({ stages }: OpenRun, notes: ReadonlyMap<string, Partial<StageRow>>): void {
  const outputs = [...stages.values()].map((stage) => ({ ...stage, ...notes.get(stage.node_id) }).output ?? "");
  const bytes = outputs.reduce((sum, output) => sum + Buffer.byteLength(output), 0);
  if (bytes <= MAX_OUTPUTS_BYTES) return;
  const message = "The outputs of all stages of a run may have at most 128 KiB of JSON. Send a link to larger results.";
  refuseField("/output", "too_long", message, { maximum: MAX_OUTPUTS_BYTES });
}

/** The step that ends these stages. Without any, the states stay. */
export const stepOf =
  ({ flow, stages }: OpenRun, endings: ReadonlyMap<string, Ending>): Parameters<typeof advanceRun>[1] =>
  (evaluate) =>
    endings.size === 0 ? { stages, status: "running" } : end(flow.graph, stages, endings, evaluate);

const fits = (kind: FlowNode["kind"], outcome: Completion | undefined): boolean =>
  outcome === undefined || (outcome === "approved" || outcome === "rejected") === (kind === "approval");

/** The active stages that the caller may complete: the one that is named, or all. At least one. */
async function completable(open: OpenRun, ctx: InWorkspace, nodeId: string | undefined): Promise<FlowNode[]> {
  const { graph } = open.flow;
  if (nodeId !== undefined && !graph.nodes.has(nodeId)) refuseReference("/node_id", nodeId);
  const wanted = graph.order.filter(({ id }) => nodeId === undefined || id === nodeId);
  const active = wanted.filter(({ id, kind }) => open.stages.get(id)!.state === "active" && isForPeople(kind));
  if (active.length === 0) refuse(workflowRunErrors.no_active_stage);
  const own: FlowNode[] = [];
  for (const node of active) if (await mayComplete(open, ctx.principal, node)) own.push(node);
  if (own.length === 0) refuse(workflowRunErrors.not_stage_actor, { node_ids: active.map(({ id }) => id) });
  return own;
}

const FAILED = "The run has failed. Advance it to open its failed stages again, or start a new run.";
