import { writeRecorded } from "../../events/events.sql.ts";
import { record } from "../../events/record.ts";
import { extended } from "../../kernel/context.ts";
import type { ActivityLine } from "../../kernel/recorded.ts";
import type { Activation } from "./activate.ts";
import {
  workflowRunCancelled,
  workflowRunCompleted,
  workflowRunFailed,
  workflowRunStageChanged,
  workflowRunStarted,
  workflowStageActivated,
  workflowStageCancelled,
} from "./events.ts";
import type { OpenRun } from "./open-run.ts";
import { type FlowNode, type RunRow, type StageRow, titleOf } from "./rows.ts";
import type { WorkflowRunDetailView } from "./view.ts";

const ENDED = { completed: workflowRunCompleted, failed: workflowRunFailed, cancelled: workflowRunCancelled };

type Made = {
  view: WorkflowRunDetailView;
  run: RunRow;
  stages: ReadonlyMap<string, StageRow>;
  activations: ReadonlyMap<string, Activation>;
  /** Lines of the issue's history. */
  lines: ActivityLine[];
};

/** Records the events of a step. */
export async function announce(
  open: OpenRun,
  { view, run, stages, activations, lines: activity }: Made,
): Promise<void> {
  const { caller, ctx, flow } = open;
  const nodes = flow.graph.order;
  const active = nodes.filter(({ id }) => stages.get(id)!.state === "active");
  const asked = active.flatMap((node) => {
    const people = activations.get(node.id)?.people ?? [];
    return people.length === 0 ? [] : [{ title: titleOf(node), asks: asksOf(node), people: [...people] }];
  });
  const isDue = !open.isContinued && active.some(({ id }) => stages.get(id)!.due_at !== null);
  const context = { ...(asked.length > 0 ? { stages: asked } : {}), ...(isDue ? { due: true } : {}) };
  const about = { issue_id: run.issue_id, context, activity };
  // Events about the run name the one who made the step.
  const place = extended(caller, { workspace: ctx.workspace, project: ctx.project, cause: causeFor(open) });
  const mark = caller.recorded.length;
  const isFirst = open.stages.size === 0;
  if (isFirst) record(place, workflowRunStarted, view, about);
  if (run.status === "running") {
    if (!isFirst && isChanged(open, stages)) record(place, workflowRunStageChanged, view, about);
  } else record(place, ENDED[run.status], view, { issue_id: run.issue_id, activity });
  await writeRecorded(place, caller.recorded.splice(mark));

  for (const node of nodes) {
    const agent = agentOf(open, node, stages, activations);
    if (!agent) continue;
    const { title, instructions } = node.config;
    const shown = {
      node_id: node.id,
      issue_key: view.issue_key,
      title: title ?? null,
      instructions: instructions ?? null,
    };
    record(ctx, agent.event, view, { issue_id: run.issue_id, person_id: agent.id, context: shown });
  }
  await writeRecorded(ctx, ctx.recorded.splice(mark));
}

/** What the caller does with a run is part of the run's chain, and keeps the caller's key and request. */
const causeFor = ({ caller, ctx }: OpenRun) => ({ ...caller.cause, ...ctx.cause });

const asksOf = ({ kind }: FlowNode) => (kind === "approval" ? ("approval" as const) : ("work" as const));

const isChanged = ({ stages: before }: OpenRun, stages: ReadonlyMap<string, StageRow>) =>
  [...stages].some(([id, stage]) => stage !== before.get(id));

/** What an agent is told of its stage: that it has begun, or that its work is no longer wanted. */
function agentOf(
  { stages: before }: OpenRun,
  { id, kind }: FlowNode,
  stages: ReadonlyMap<string, StageRow>,
  activations: ReadonlyMap<string, Activation>,
) {
  if (kind !== "agent") return null;
  const { state, outcome, assignee_user_id, completed_by } = stages.get(id)!;
  if (assignee_user_id === null) return null;
  if (state === "active" && activations.has(id)) return { event: workflowStageActivated, id: assignee_user_id };
  const wasActive = before.get(id)?.state === "active";
  // A failure that nobody reported: the stage has become too expensive.
  const isStopped = outcome === "failure" && completed_by === null;
  const isUnwanted = isStopped || outcome === "cancelled" || outcome === "timeout" || outcome === "forced";
  return wasActive && isUnwanted ? { event: workflowStageCancelled, id: assignee_user_id } : null;
}
