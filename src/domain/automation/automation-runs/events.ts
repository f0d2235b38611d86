import { defineEvent } from "../../events/define-event.ts";
import { AutomationRunView } from "./view.ts";

/** A run ended with an error. Runs that were refused because of limits record none. */
export const automationRunFailed = defineEvent("automation_run.failed", {
  view: AutomationRunView,
  audience: "project",
});
