import { z } from "zod";
import type { WithProject } from "../../access/identity/project-access.sql.ts";
import type { SetUpBy } from "../../access/identity/set-up-by.ts";
import { described, part, view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutDeleted, aboutEdge, aboutGraph, aboutNode, aboutProblem, aboutWorkflow } from "./descriptions.ts";
import { type Edge, NODE_KINDS } from "./graph.ts";
import type { WorkflowNode } from "./nodes.ts";
import { PROBLEM_CODES } from "./problems.ts";

export const STATUSES = ["draft", "enabled"] as const;

const count = z.number().int();

export const ProblemView = part(aboutProblem, {
  code: z.enum(PROBLEM_CODES),
  message: z.string(),
  node_id: z.string().nullable(),
  edge_id: z.string().nullable(),
  path: z.string(),
});
export type ProblemView = z.output<typeof ProblemView>;

export const WorkflowView = view("Workflow", aboutWorkflow, {
  id,
  name: z.string(),
  description: z.string().nullable(),
  status: z.enum(STATUSES),
  disabled_reason: z.enum(["plan", "credential_ended"]).nullable(),
  project_id: id.nullable(),
  version: count,
  valid: z.boolean(),
  problems: z.array(ProblemView),
  in_flight_runs: count,
  created_by: id,
  created_at: timestamp,
  updated_at: timestamp,
});
export type WorkflowView = z.output<typeof WorkflowView>;

export const WorkflowNodeView = view("WorkflowNode", aboutNode, {
  id: z.string(),
  kind: z.enum(NODE_KINDS),
  assignee_user_id: id.nullable(),
  config: z.record(z.string(), z.unknown()),
  label: z.string().nullable(),
  pos_x: count,
  pos_y: count,
});

export const WorkflowEdgeView = view("WorkflowEdge", aboutEdge, {
  id: z.string(),
  source_node_id: z.string(),
  target_node_id: z.string(),
  branch_label: z.string().nullable(),
});

export const WorkflowDetailView = WorkflowView.extend(
  described(
    { nodes: aboutGraph.nodes, edges: aboutGraph.edges },
    { nodes: z.array(WorkflowNodeView), edges: z.array(WorkflowEdgeView) },
  ),
).meta({ id: "WorkflowDetail" });
export type WorkflowDetailView = WorkflowView & { nodes: WorkflowNode[]; edges: Edge[] };

/** A workflow as statements return it. */
export type WorkflowRow = Omit<WorkflowView, "valid"> & SetUpBy & WithProject;
export type WorkflowDetailRow = WorkflowRow & { nodes: WorkflowNode[]; edges: Edge[] };

export const workflowView = (row: WorkflowRow): WorkflowView => ({
  id: row.id,
  name: row.name,
  description: row.description,
  status: row.status,
  disabled_reason: row.disabled_reason,
  project_id: row.project_id,
  version: row.version,
  valid: row.problems.length === 0,
  problems: row.problems,
  in_flight_runs: row.in_flight_runs,
  created_by: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export const detailView = (row: WorkflowDetailRow): WorkflowDetailView => ({
  ...workflowView(row),
  nodes: row.nodes,
  edges: row.edges,
});

export const WorkflowDeletedView = part(aboutDeleted, { id, deleted: z.literal(true), cancelled_runs: count });
export type WorkflowDeletedView = z.output<typeof WorkflowDeletedView>;
