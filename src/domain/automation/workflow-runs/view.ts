import { z } from "zod";
import { part, view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { NODE_KINDS, OUTCOMES } from "../workflows/graph.ts";
import { STAGE_STATES } from "../workflows/machine.ts";
import {
  aboutApplied,
  aboutApproval,
  aboutCancelled,
  aboutNode,
  aboutRun,
  aboutRunDetail,
  aboutStarted,
} from "./descriptions.ts";

export const RUN_STATUSES = ["running", "completed", "failed", "cancelled"] as const;

const ofRun = {
  id,
  issue_id: id,
  issue_key: z.string(),
  workflow_id: id,
  workflow_version: z.number().int(),
  status: z.enum(RUN_STATUSES),
  current_summary: z.string().nullable(),
  waiting: z.boolean(),
  started_by: id,
  started_at: timestamp,
  ended_at: timestamp.nullable(),
};

/** A run in lists. */
export const WorkflowRunView = view("WorkflowRun", aboutRun, ofRun);
export type WorkflowRunView = z.output<typeof WorkflowRunView>;

const object = z.record(z.string(), z.unknown());

/** The stage of a run at a node. */
export const RunNodeView = part(aboutNode, {
  node_id: z.string(),
  kind: z.enum(NODE_KINDS),
  label: z.string().nullable(),
  state: z.enum(STAGE_STATES),
  branch_taken: z.string().nullable(),
  outcome: z.enum(OUTCOMES).nullable(),
  assignee_user_id: id.nullable(),
  session_id: id.nullable(),
  approvals: z.array(part(aboutApproval, { by: id, outcome: z.enum(["approved", "rejected"]), at: timestamp })),
  note_md: z.string().nullable(),
  output: object.nullable(),
  actions_applied: z
    .array(
      part(aboutApplied, { type: z.string(), ok: z.boolean(), detail: z.string().nullable(), issue_id: id.nullable() }),
    )
    .nullable(),
  attempts: z.number().int(),
  due_at: timestamp.nullable(),
  activated_at: timestamp.nullable(),
  ended_at: timestamp.nullable(),
  completed_by: id.nullable(),
  error: z.string().nullable(),
});
export type RunNodeView = z.output<typeof RunNodeView>;

export const WorkflowRunDetailView = view("WorkflowRunDetail", aboutRunDetail, {
  ...ofRun,
  workflow_name: z.string(),
  nodes: z.array(RunNodeView),
  context: object,
  note_md: z.string().nullable(),
  error: z.string().nullable(),
});
export type WorkflowRunDetailView = z.output<typeof WorkflowRunDetailView>;

export const WorkflowStarted = view("WorkflowStarted", aboutStarted, { run_id: id, run: WorkflowRunDetailView });

export const WorkflowCancelled = view("WorkflowCancelled", aboutCancelled, {
  issue_key: z.string(),
  cancelled: z.literal(true),
  run_id: id,
});
