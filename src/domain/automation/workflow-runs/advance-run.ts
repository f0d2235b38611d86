import { writeRecorded } from "../../events/events.sql.ts";
import type { ActivityLine } from "../../kernel/recorded.ts";
import { readIssue } from "../../work/issues/change.sql.ts";
import { labelsOf, viewOf } from "../../work/issues/view.ts";
import { markEvents, wakeNamed } from "../actions/wakes.ts";
import { evaluate as evaluateConditions } from "../conditions/evaluate.ts";
import { factsOf } from "../conditions/facts.ts";
import { receiversIn } from "../seen/viewer.ts";
import { type Ending, type Evaluate, end, type Step } from "../workflows/machine.ts";
import { type Activation, activate } from "./activate.ts";
import { announce } from "./announce.ts";
import { changeIssue } from "./issue-effects.ts";
import { moveIssue } from "./move-issue.ts";
import type { OpenRun } from "./open-run.ts";
import type { FlowNode, RunRow, StageRow } from "./rows.ts";
import { updateRun, writeStages } from "./runs.sql.ts";
import { runSeenBy } from "./seen-by.ts";
import { detailView, readForEvent, summaryOf } from "./show.ts";
import { failureOf, stageAfter } from "./stage-after.ts";
import { dueOf } from "./timers.ts";
import type { WorkflowRunDetailView } from "./view.ts";

/** What a step stores in stages besides their states. */
export type Notes = ReadonlyMap<string, Partial<StageRow>>;

/**
 * Makes one step of a locked run, with all its effects in the same transaction. Everything that happens to a run comes
 * through this function: its start, completions, time-outs, actions that are done, events, and its cancellation.
 * @param first the step of the machine
 * @param lines what the history of the issue says about the step
 */
export async function advanceRun(
  open: OpenRun,
  first: (evaluate: Evaluate) => Step,
  notes: Notes = new Map(),
  lines: ActivityLine[] = [],
): Promise<WorkflowRunDetailView> {
  const { ctx, flow, run } = open;
  const { step, activations } = await stepOn(open, first);
  const stages = stagesAfter(open, step, activations, notes);
  const active = flow.graph.order.filter(({ id }) => stages.get(id)!.state === "active");

  const mark = ctx.recorded.length;
  const all = markEvents(ctx);
  // Boards are locked before issues.
  const moved = step.status === "cancelled" ? null : await moveIssue(open, stages);
  await writeRecorded(ctx, ctx.recorded.splice(mark));
  const now = runAfter(open, step, { stages, active, moved });
  const shown = { ...now, issue_key: open.issue.key };
  const receivers = receiversIn(ctx, run.project_id);
  const view = await runSeenBy(receivers, detailView(shown, flow, stages, readForEvent));
  await announce(open, { view, run: now, stages, activations, lines });
  await assign(open, stages, activations, step.status === "running");
  await readTimes(open, stages, activations);
  await writeRecorded(ctx, ctx.recorded.splice(mark));
  const asksAgents = [...activations.values()].some(({ agent }) => agent !== null);
  if (asksAgents) await wakeNamed(ctx, all, { automation_id: run.automation_id, workflow_run_id: run.id });

  await writeStages(
    ctx,
    [...stages.values()].filter((stage) => stage !== open.stages.get(stage.node_id)),
  );
  await updateRun(ctx, now);
  return detailView(shown, flow, stages);
}

type After = { stages: ReadonlyMap<string, StageRow>; active: readonly FlowNode[]; moved: string | null };

function runAfter({ ctx, run, flow, stages: before }: OpenRun, { status }: Step, after: After): RunRow {
  const { stages, active, moved } = after;
  const error = status === "failed" ? failureOf({ run, flow, stages: before }, stages) : moved;
  const isWaiting = ({ kind }: FlowNode) => kind === "person" || kind === "approval" || kind === "wait";
  const waiting = active.length > 0 && active.every(isWaiting);
  const ended_at = status === "running" ? null : ctx.now;
  const now = { ...run, status, waiting, error, ended_at, updated_at: ctx.now };
  return { ...now, current_summary: summaryOf(now, active) };
}

/** The states after a step. A stage on which nobody can work fails at once, which makes another step. */
async function stepOn(open: OpenRun, first: (evaluate: Evaluate) => Step) {
  const { graph } = open.flow;
  const evaluate = evaluatorOf(open);
  const activations = new Map<string, Activation>();
  let step = first(evaluate);
  for (;;) {
    const endings = new Map<string, Ending>();
    for (const node of graph.order) {
      const isNew = open.stages.get(node.id)?.state !== "active" && !activations.has(node.id);
      if (!isNew || step.stages.get(node.id)!.state !== "active") continue;
      const activation = await activate(open, node);
      activations.set(node.id, activation);
      if (activation.fails !== null) endings.set(node.id, "failure");
    }
    if (endings.size === 0) return { step, activations };
    step = end(graph, step.stages, endings, evaluate);
  }
}

/** Evaluates conditions on the issue as it is when the step begins. */
function evaluatorOf({ ctx, flow, issue }: OpenRun): Evaluate {
  const facts = factsOf(viewOf(ctx, issue, labelsOf(issue)), null);
  return (id) => {
    const { match, rules } = flow.graph.nodes.get(id)!.config;
    return evaluateConditions(match && rules ? { match, rules } : null, facts).applies;
  };
}

function stagesAfter(open: OpenRun, step: Step, activations: ReadonlyMap<string, Activation>, notes: Notes) {
  const nodes: readonly FlowNode[] = open.flow.graph.order;
  return new Map<string, StageRow>(
    nodes.map((node) => [
      node.id,
      stageAfter(open, node, step.stages.get(node.id)!, activations.get(node.id), notes.get(node.id)),
    ]),
  );
}

/** Assigns the issue to those whose stages are active now, and takes it from those whose stages have ended. */
async function assign(
  { ctx, run, flow, stages: before }: OpenRun,
  stages: Map<string, StageRow>,
  activations: ReadonlyMap<string, Activation>,
  isOpen: boolean,
): Promise<void> {
  const active = [...stages.values()].filter(({ state }) => state === "active");
  const begun = active.filter(({ node_id }) => activations.get(node_id)?.assign);
  const over = [...before.values()].filter((old) => old.assigned && stages.get(old.node_id)!.state !== "active");
  const unassign = over.map(({ assignee_user_id }) => assignee_user_id!);
  // Somebody who still works on another stage stays until that one has ended.
  const heirs = active.filter(
    ({ node_id, assignee_user_id: id }) =>
      id !== null && unassign.includes(id) && flow.graph.nodes.get(node_id)!.config.assign !== false,
  );
  const added = await changeIssue(ctx, run.issue_id, {
    assign: begun.map(({ assignee_user_id }) => assignee_user_id!),
    first: begun.length === 1 && active.length === 1,
    unassign: unassign.filter((id) => !heirs.some((heir) => heir.assignee_user_id === id)),
    activeRunId: isOpen ? run.id : null,
  });
  for (const stage of active) {
    const isAdded = begun.includes(stage) && added.includes(stage.assignee_user_id!);
    if (heirs.includes(stage) || isAdded) stages.set(stage.node_id, { ...stage, assigned: true });
  }
}

/**
 * Reads again when the new waits for a time in the issue end. The issue is locked only now, and nobody is told of a change
 * that was committed since the step read it.
 */
async function readTimes(
  { ctx, run, flow, timezone }: OpenRun,
  stages: Map<string, StageRow>,
  activations: ReadonlyMap<string, Activation>,
): Promise<void> {
  const waits = flow.graph.order.filter(
    ({ id, config }) => config.until_field && activations.has(id) && stages.get(id)!.state === "active",
  );
  if (waits.length === 0) return;
  const issue = await readIssue(ctx, run.issue_id);
  for (const node of waits) {
    const stage = stages.get(node.id)!;
    stages.set(node.id, { ...stage, due_at: dueOf(node, stage.activated_at!, { issue, timezone }) });
  }
}
