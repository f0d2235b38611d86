import { defineEvent } from "../../events/define-event.ts";
import { WorkflowView } from "./view.ts";

/** Whoever sees the workflow gets its events: those who see its project or, without one, the members. */
const ofWorkflow = {
  view: WorkflowView,
  audience: "project",
  derived: ["updated_at", "valid", "problems", "in_flight_runs"],
} as const;

export const workflowEnabled = defineEvent("workflow.enabled", ofWorkflow);
export const workflowDisabled = defineEvent("workflow.disabled", ofWorkflow);
export const workflowDeleted = defineEvent("workflow.deleted", ofWorkflow);
