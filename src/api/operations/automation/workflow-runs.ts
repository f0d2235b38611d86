import { pictureOfRun } from "../../../domain/automation/pictures/run-picture.ts";
import { cancelRunOfIssue } from "../../../domain/automation/workflow-runs/cancel.ts";
import { completeStage } from "../../../domain/automation/workflow-runs/complete.ts";
import {
  workflowRunCancelled,
  workflowRunCompleted,
  workflowRunStageChanged,
  workflowRunStarted,
} from "../../../domain/automation/workflow-runs/events.ts";
import { forceAdvance } from "../../../domain/automation/workflow-runs/force.ts";
import {
  WorkflowAdvanceInput,
  WorkflowCompleteStageInput,
  WorkflowStartInput,
} from "../../../domain/automation/workflow-runs/inputs.ts";
import {
  byId,
  detailOf,
  listPage,
  openRunInPath,
  workflowInPath,
} from "../../../domain/automation/workflow-runs/reads.ts";
import { startRun } from "../../../domain/automation/workflow-runs/start.ts";
import {
  WorkflowCancelled,
  WorkflowRunDetailView,
  WorkflowRunView,
  WorkflowStarted,
} from "../../../domain/automation/workflow-runs/view.ts";
import { SAMPLE } from "../../../domain/kernel/described.ts";
import { issueUpdated } from "../../../domain/work/issues/events.ts";
import { drawn, SVG } from "../../engine/drawn.ts";
import { operation } from "../../engine/operation.ts";

export const workflowRunOperations = [
  operation({
    id: "workflow-runs.start",
    route: "POST I/workflow",
    summary: "Start a run of a workflow for an issue",
    about:
      "An issue is in at most one open run (409 `run_already_active`). The run keeps the version of the graph with which it started. The first stages are active at once: their people are notified and assigned, and agents hear of it on their event stream. `context` is yours and is returned with the run.",
    needs: "workflow.run",
    status: 201,
    body: WorkflowStartInput,
    example: { workflow_id: SAMPLE.other, context: { ticket: "A-17" }, note_md: "Please hurry." },
    anyJson: "context",
    records: [workflowRunStarted, workflowRunCompleted],
    returns: WorkflowStarted,
    handle: ({ ctx, body }) => startRun(ctx, body),
  }),
  operation({
    id: "workflow-runs.cancel",
    route: "DELETE I/workflow",
    summary: "Cancel the workflow run that an issue is in",
    about:
      "Open stages end, and their agents and people are told. Without an open run the reply is 404 `no_active_run`.",
    needs: "workflow.run",
    current: openRunInPath,
    records: [workflowRunCancelled, issueUpdated],
    returns: WorkflowCancelled,
    handle: ({ ctx }) => cancelRunOfIssue(ctx),
  }),
  operation({
    id: "workflow-runs.list",
    route: "GET W/workflows/{id}/runs",
    summary: "List the runs of a workflow for issues that you can see, newest first",
    about: "Read one run for the states of its stages.",
    needs: "workflows:read",
    limitedKeys: "filter",
    shape: "list",
    within: workflowInPath,
    returns: WorkflowRunView,
    handle: ({ ctx, parent, paging }) => listPage(ctx, parent, paging),
  }),
  operation({
    id: "workflow-runs.get",
    route: "GET W/workflow-runs/{id}",
    summary: "Read a workflow run with the states of its stages, or its picture if Accept names image/svg+xml",
    about: "Each stage has its state, outcome, who works on it, and until when.",
    needs: "workflows:read",
    limitedKeys: "filter",
    on: byId,
    returns: WorkflowRunDetailView,
    downloads: [SVG],
    handle: async ({ ctx, on, asked }) => (asked === SVG ? drawn(ctx, await pictureOfRun(ctx, on)) : detailOf(ctx, on)),
  }),
  operation({
    id: "workflow-runs.complete-stage",
    route: "POST W/workflow-runs/{id}/complete-stage",
    summary: "Complete a stage of a workflow run, or vote on an approval",
    about:
      "Without `node_id`, all active stages that you may complete. `outcome` decides which branch follows: `failure` takes the failure branch or fails the run; `approved` and `rejected` are votes on an approval. Only those who are named in the stage, or admins, may complete a stage of a person (403 `not_stage_actor`); neither who started the run nor who completed the stage before may approve, unless the stage allows it.",
    needs: "workflow.run",
    limitedKeys: "filter",
    on: byId,
    body: WorkflowCompleteStageInput,
    example: { node_id: "review", outcome: "success", note_md: "Looks good.", output: { score: 5 } },
    anyJson: "output",
    records: [workflowRunStageChanged],
    returns: WorkflowRunDetailView,
    handle: ({ ctx, on, body }) => completeStage(ctx, on, body),
  }),
  operation({
    id: "workflow-runs.advance",
    route: "POST W/workflow-runs/{id}/advance",
    summary: "Skip active stages of a workflow run by force, or reopen the failed stages of a failed run",
    about:
      "For a run that is stuck. `node_ids` names the stages that you saw; without it, all active stages are skipped. Owners and admins may; the one who started the run may unless a stage is an approval or somebody else's. Active stages end with the outcome `forced` and their good branch follows. A forced approval counts as not approved: its branch `forced` follows, or else that of a rejection. The history of the issue and the audit log say so.",
    needs: "workflows:write; starter or admin tier",
    limitedKeys: "filter",
    on: byId,
    body: WorkflowAdvanceInput,
    example: { node_ids: ["review"] },
    records: [workflowRunCompleted, issueUpdated],
    returns: WorkflowRunDetailView,
    handle: ({ ctx, on, body }) => forceAdvance(ctx, on, body),
  }),
];
