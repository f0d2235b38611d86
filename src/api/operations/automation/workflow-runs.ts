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
import { WorkflowCompleteStageInput, WorkflowStartInput } from "../../../domain/automation/workflow-runs/inputs.ts";
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
import { operation } from "../../engine/operation.ts";
import { drawn, SVG } from "./picture-reply.ts";

export const workflowRunOperations = [
  operation({
    id: "workflow-runs.start",
    route: "POST I/workflow",
    summary: "Start a run of a workflow for an issue",
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
    summary: "Complete all active stages of a workflow run by force, or reopen the failed stage of a failed run",
    needs: "workflows:write",
    limitedKeys: "filter",
    on: byId,
    records: [workflowRunCompleted, issueUpdated],
    returns: WorkflowRunDetailView,
    handle: ({ ctx, on }) => forceAdvance(ctx, on),
  }),
];
