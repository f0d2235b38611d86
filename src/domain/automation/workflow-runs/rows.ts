import type { ActsFor } from "../../access/identity/set-up-by.ts";
import type { Group } from "../conditions/inputs.ts";
import type { Graph, GraphNode, NodeKind, Outcome } from "../workflows/graph.ts";
import type { RunStatus, StageState } from "../workflows/machine.ts";

/** Rows of runs and their stages, and the nodes that they follow. */

export type RunRow = {
  id: string;
  workspace_id: string;
  workflow_id: string;
  version: number;
  project_id: string;
  issue_id: string;
  status: RunStatus;
  /** JSON text. */
  context: string;
  note_md: string | null;
  started_by: string;
  /** The projects that the key which started the run was limited to. Null: all. The run changes nothing outside of them. */
  within: string[] | null;
  /** The automation that started the run. */
  automation_id: string | null;
  root_event_id: string | null;
  depth: number;
  current_summary: string | null;
  waiting: boolean;
  error: string | null;
  started_at: string;
  ended_at: string | null;
  updated_at: string;
};

export type Vote = { by: string; outcome: "approved" | "rejected"; at: string };
export type Applied = { type: string; ok: boolean; detail: string | null; issue_id: string | null };

export type StageRow = {
  run_id: string;
  node_id: string;
  workspace_id: string;
  state: StageState;
  outcome: Outcome | null;
  branch_taken: string | null;
  assignee_user_id: string | null;
  /** Whether the stage made the assignee an assignee of the issue. */
  assigned: boolean;
  session_id: string | null;
  approvals: Vote[];
  note_md: string | null;
  /** JSON text. */
  output: string | null;
  next_action: number;
  next_target: number;
  /** The issues of the next action; null before it has begun. An element is null for an action about no issue. */
  targets: (string | null)[] | null;
  actions_applied: Applied[] | null;
  attempts: number;
  /** Faults of the next action. */
  faults: number;
  due_at: string | null;
  /** The event that the stage waits for. */
  awaits: string | null;
  activated_at: string | null;
  ended_at: string | null;
  completed_by: string | null;
  error: string | null;
};

/** The configuration of a node. Which members it has depends on the node's kind. */
export type NodeConfig = GraphNode["config"] & {
  title?: string | null;
  role?: string | null;
  due_in_hours?: number | null;
  timeout_minutes?: number | null;
  spend_cap_usd?: number | null;
  assign?: boolean | null;
  approver_ids?: string[] | null;
  approver_role?: string | null;
  required?: number | null;
  allow_self?: boolean | null;
  on_timeout?: "reject" | "approve" | "fail" | null;
  actions?: { type: string }[] | null;
  retries?: number | null;
  minutes?: number | null;
  until_field?: string | null;
  event?: { type: string } | null;
  set_status?: string | null;
  instructions?: string | null;
} & Partial<Group>;

export type FlowNode = Omit<GraphNode, "config"> & {
  label: string | null;
  assignee_user_id: string | null;
  config: NodeConfig;
};

/** The graph of a version of a workflow. */
export type FlowGraph = Omit<Graph, "nodes" | "order"> & {
  nodes: ReadonlyMap<string, FlowNode>;
  order: readonly FlowNode[];
};

/** The version of a workflow that a run follows. */
export type Flow = ActsFor & {
  id: string;
  name: string;
  graph: FlowGraph;
};

/** What people call a node. */
export const titleOf = ({ id, label, config }: FlowNode): string => label || config.title || id;

/** The stages that somebody completes. */
export const isForPeople = (kind: NodeKind): boolean => kind === "person" || kind === "agent" || kind === "approval";
