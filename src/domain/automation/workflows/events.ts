import { defineAudit } from "../../events/audit/define-audit.ts";
import { defineEvent } from "../../events/define-event.ts";
import { WorkflowView } from "./view.ts";

/** Whoever sees the workflow gets its events: those who see its project or, without one, the members. */
const ofWorkflow = {
  view: WorkflowView,
  audience: "project",
  derived: ["updated_at", "valid", "problems", "in_flight_runs"],
} as const;

export const workflowEnabled = defineEvent("workflow.enabled", { ...ofWorkflow, audit: { target: "workflow" } });
export const workflowDisabled = defineEvent("workflow.disabled", { ...ofWorkflow, audit: { target: "workflow" } });
export const workflowDeleted = defineEvent("workflow.deleted", {
  ...ofWorkflow,
  audit: { target: "workflow", drops: ["status", "version"] },
});

/** No events are recorded for drafts, and for changes that neither enable nor disable a workflow. */
export const workflowCreated = defineAudit("workflow.created", "workflow");
export const workflowUpdated = defineAudit("workflow.updated", "workflow");
export const workflowGraphReplaced = defineAudit("workflow.graph_replaced", "workflow");
