import { defineAudit } from "../../events/audit/define-audit.ts";
import { defineEvent } from "../../events/define-event.ts";
import { WorkflowRunDetailView } from "./view.ts";

const ofRun = { view: WorkflowRunDetailView, audience: "project" } as const;
/** For the agent that works on the stage. */
const ofStage = { view: WorkflowRunDetailView, audience: "person" } as const;

export const workflowRunStarted = defineEvent("workflow_run.started", ofRun);
export const workflowRunStageChanged = defineEvent("workflow_run.stage_changed", ofRun);
export const workflowRunCompleted = defineEvent("workflow_run.completed", ofRun);
export const workflowRunFailed = defineEvent("workflow_run.failed", ofRun);
export const workflowRunCancelled = defineEvent("workflow_run.cancelled", ofRun);

export const workflowStageActivated = defineEvent("workflow.stage_activated", ofStage);
export const workflowStageCancelled = defineEvent("workflow.stage_cancelled", ofStage);

/** Somebody ended stages by force, or reopened a failed run. The events of the run do not say so. */
export const workflowRunForced = defineAudit("workflow_run.advanced", "workflow_run");
