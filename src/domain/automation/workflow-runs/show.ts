import { parseExact } from "../../kernel/exact-json.ts";
import { shorten, singleLine } from "../../kernel/text.ts";
import type { Flow, FlowNode, RunRow, StageRow } from "./rows.ts";
import { titleOf } from "./rows.ts";
import type { RunNodeView, WorkflowRunDetailView, WorkflowRunView } from "./view.ts";

/** Runs as the API shows them. */

export type Stages = ReadonlyMap<string, StageRow>;

export const runView = (run: RunRow & { issue_key: string }): WorkflowRunView => ({
  id: run.id,
  issue_id: run.issue_id,
  issue_key: run.issue_key,
  workflow_id: run.workflow_id,
  workflow_version: run.version,
  status: run.status,
  current_summary: run.current_summary,
  waiting: run.waiting,
  started_by: run.started_by,
  started_at: run.started_at,
  ended_at: run.ended_at,
});

/** @param read reads JSON that a client sent */
export function detailView(
  run: RunRow & { issue_key: string },
  flow: Flow,
  stages: Stages,
  read: ReadJson = parseExact,
): WorkflowRunDetailView {
  return {
    ...runView(run),
    workflow_name: flow.name,
    nodes: flow.graph.order.map((node) => nodeView(node, stages.get(node.id)!, read)),
    context: read(run.context) as Record<string, unknown>,
    note_md: run.note_md,
    error: run.error,
  };
}

const HOUR_MS = 3_600_000;

type ReadJson = (json: string) => unknown;

/**
 * Reads JSON for an event, which Postgres stores as `jsonb`. That has neither NUL nor lone surrogates, which
 * `JSON.stringify` writes as escapes.
 */
export const readForEvent: ReadJson = (json) =>
  JSON.parse(json.replace(ESCAPED, (found) => (found === "\\\\" ? found : "\ufffd")));

const ESCAPED = /\\(?:\\|u0000|ud[89a-f][0-9a-f]{2})/gi;

function nodeView(node: FlowNode, stage: StageRow, read: ReadJson): RunNodeView {
  const { node_id, state, branch_taken, outcome, assignee_user_id, session_id, approvals, note_md, output } = stage;
  const { actions_applied, attempts, activated_at, ended_at, completed_by, error } = stage;
  return {
    node_id,
    kind: node.kind,
    label: node.label,
    state,
    branch_taken,
    outcome,
    assignee_user_id,
    session_id,
    approvals,
    note_md,
    output: output === null ? null : (read(output) as Record<string, unknown>),
    actions_applied: node.kind === "action" ? actions_applied : null,
    attempts,
    due_at: dueAt(node, stage),
    activated_at,
    ended_at,
    completed_by,
    error,
  };
}

/** Actions have no time by which they are due; theirs is when a worker continues them. */
function dueAt({ kind, config }: FlowNode, { activated_at, due_at }: StageRow): string | null {
  if (kind === "action") return null;
  if (kind !== "person" || !config.due_in_hours || activated_at === null) return due_at;
  const due = new Date(Date.parse(activated_at) + config.due_in_hours * HOUR_MS).toISOString();
  return due_at !== null && due_at < due ? due_at : due;
}

const MAX_SUMMARY = 200;

/** What the run waits for, or how it ended, in one line. */
export function summaryOf(run: Pick<RunRow, "status" | "error" | "waiting">, active: readonly FlowNode[]): string {
  const text =
    run.status === "running"
      ? `${run.waiting ? "Waiting" : "Running"}: ${active.map(titleOf).join(", ")}`
      : { completed: "Completed", cancelled: "Cancelled", failed: run.error ? `Failed: ${run.error}` : "Failed" }[
          run.status
        ];
  return shorten(singleLine(text), MAX_SUMMARY);
}
