import { defineEvent } from "../../events/define-event.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { AutomationView } from "./view.ts";

/** Events of automations that are for one project reach only those who see the project. */
const ofAutomation = {
  view: AutomationView,
  audience: "project",
  derived: ["updated_at", "next_run_at", "last_run_at", "last_skipped", "run_count", "failure_count"],
} as const;

export const automationCreated = defineEvent("automation.created", {
  ...ofAutomation,
  audit: { target: "automation", adds: ["enabled", "trigger", "trigger_config", "conditions", "actions"] },
});
export const automationUpdated = defineEvent("automation.updated", {
  ...ofAutomation,
  audit: { target: "automation" },
});
export const automationDeleted = defineEvent("automation.deleted", {
  ...ofAutomation,
  audit: { target: "automation", drops: ["enabled", "trigger", "actions"] },
});
/** The service disabled the automation. If a person does, that is an `automation.updated`. */
export const automationDisabled = defineEvent("automation.disabled", {
  ...ofAutomation,
  audit: { target: "automation", adds: ["disabled_reason"] },
});

/** The context for events of an automation. Those of automations for all projects have no project. */
export const contextFor = <Ctx extends Writing & Pick<InWorkspace, "workspace">>(
  ctx: Ctx,
  { project_id }: Pick<AutomationView, "project_id">,
) => ({ ...ctx, project: { id: project_id } });
