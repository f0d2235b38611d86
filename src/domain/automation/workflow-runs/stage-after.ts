import { namesOthers } from "../seen/applied.ts";
import { fires, isUnapproved, type Stage } from "../workflows/machine.ts";
import type { Activation } from "./activate.ts";
import type { OpenRun } from "./open-run.ts";
import { type FlowNode, type StageRow, titleOf } from "./rows.ts";

/** The rows of stages after a step. */

const isOver = ({ state }: Pick<StageRow, "state">) => state === "done" || state === "failed" || state === "cancelled";

/** The row of a stage after a step. A stage that did not change is the same object. */
export function stageAfter(
  { ctx, run, stages }: OpenRun,
  node: FlowNode,
  next: Stage,
  activation: Activation | undefined,
  note: Partial<StageRow> | undefined,
): StageRow {
  const before = stages.get(node.id);
  const isSame = before?.state === next.state && before.outcome === next.outcome && !activation;
  if (before && isSame) return note ? { ...before, ...note } : before;
  const base: StageRow = { ...(before ?? emptyStage(run, node.id)), ...note, ...next };
  const begun = activation ? { ...base, ...begin(base, activation, ctx.now) } : base;
  if (!isOver(begun)) return begun;
  return {
    ...begun,
    branch_taken: next.outcome === null ? null : branchOf(node, next.outcome),
    // Nodes that need nobody begin and end at once.
    activated_at: begun.activated_at ?? ctx.now,
    ended_at: ctx.now,
    attempts: Math.max(1, begun.attempts),
    due_at: null,
    awaits: null,
    assigned: false,
  };
}

/** What a stage forgets when it begins, perhaps again. It keeps the actions that are done. */
const begin = (stage: StageRow, { stage: more, fails }: Activation, now: string): Partial<StageRow> => ({
  branch_taken: null,
  approvals: [],
  note_md: null,
  output: null,
  session_id: null,
  completed_by: null,
  attempts: stage.attempts + 1,
  faults: 0,
  activated_at: now,
  ended_at: null,
  error: fails,
  ...more,
});

const branchOf = (node: FlowNode, outcome: NonNullable<Stage["outcome"]>): string | null =>
  node.out.find((edge) => fires(edge.branch_label, outcome, node))?.branch_label ?? null;

const emptyStage = (run: OpenRun["run"], node_id: string): StageRow => ({
  run_id: run.id,
  node_id,
  workspace_id: run.workspace_id,
  state: "pending",
  outcome: null,
  branch_taken: null,
  assignee_user_id: null,
  assigned: false,
  session_id: null,
  approvals: [],
  note_md: null,
  output: null,
  next_action: 0,
  next_target: 0,
  targets: null,
  actions_applied: null,
  attempts: 0,
  faults: 0,
  due_at: null,
  awaits: null,
  activated_at: null,
  ended_at: null,
  completed_by: null,
  error: null,
});

/** Why a run failed: by the stage that ended it. */
export function failureOf(
  { run, flow, stages: before }: Pick<OpenRun, "run" | "flow" | "stages">,
  after: ReadonlyMap<string, StageRow>,
): string {
  const fresh = flow.graph.order.filter(({ id }) => after.get(id) !== before.get(id));
  const failed = fresh.find((node) => {
    const { state, outcome } = after.get(node.id)!;
    return state === "failed" || outcome === "rejected" || isUnapproved(node, outcome);
  });
  const node = failed ?? fresh.find(({ id, kind }) => kind === "end" && after.get(id)!.outcome === "failure");
  if (!node) return "A stage failed.";
  const { error: whole, outcome, actions_applied } = after.get(node.id)!;
  if (node.kind === "end") return `The run has reached the end ${titleOf(node)}.`;
  const reason =
    { timeout: "timed out", rejected: "was rejected", forced: "was skipped by force, which does not approve" }[
      outcome as string
    ] ?? "failed";
  const last = actions_applied?.at(-1);
  // All readers of the run see this text, and not all of them see other issues.
  const error = whole && last && !last.ok && namesOthers(last, run.issue_id) ? `${whole.split(":", 1)[0]}.` : whole;
  return error ? `${titleOf(node)} ${reason}: ${error}` : `${titleOf(node)} ${reason}.`;
}
