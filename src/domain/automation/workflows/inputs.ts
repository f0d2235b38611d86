import { z } from "zod";
import { input, inputPart } from "../../kernel/described.ts";
import { choice, flag, line, reference, text } from "../../kernel/wire.ts";
import { aboutDeleteQuery, aboutEdge, aboutGraph, aboutWorkflowInput } from "./descriptions.ts";
import { NodeInput } from "./nodes.ts";
import { STATUSES } from "./view.ts";

/** Bodies of the workflow calls, named as the specification names them. */

const nodeId = z.string().min(1).max(64);

export const EdgeInput = inputPart(aboutEdge, {
  // Editors make ids of edges from those of their two nodes.
  id: z.string().min(1).max(200),
  source_node_id: nodeId,
  target_node_id: nodeId,
  branch_label: line(0, 120).nullable().default(null),
}).meta({ id: "WorkflowEdgeInput" });

// A graph may have 200 nodes and 400 edges. That is checked with its other problems, so that clients see all of them.
const nodes = z.array(NodeInput).max(1_000);
const edges = z.array(EdgeInput).max(2_000);

export const WorkflowCreateInput = input("WorkflowCreateInput", aboutWorkflowInput, {
  name: line(1, 120),
  description: text(0, 500).nullable().default(null),
  project_id: reference.nullable().optional(),
  nodes: nodes.default([]),
  edges: edges.default([]),
});
export type WorkflowCreateInput = z.output<typeof WorkflowCreateInput>;

export const WorkflowPatchInput = input("WorkflowPatchInput", aboutWorkflowInput, {
  name: line(1, 120).optional(),
  description: text(0, 500).nullable().optional(),
  project_id: reference.nullable().optional(),
  status: choice(STATUSES).optional(),
  enabled: z.boolean().optional(),
});
export type WorkflowPatchInput = z.output<typeof WorkflowPatchInput>;

export const WorkflowGraphInput = input("WorkflowGraphInput", aboutGraph, {
  nodes,
  edges,
  if_version: z.number().int().min(1).optional(),
});
export type WorkflowGraphInput = z.output<typeof WorkflowGraphInput>;

export const WorkflowDeleteQuery = inputPart(aboutDeleteQuery, { cancel_runs: flag.optional() });
