import { defineEvent } from "../../events/define-event.ts";
import { record, recordDifference } from "../../events/record.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { differenceOf } from "../../kernel/difference.ts";
import { receiversIn } from "../seen/viewer.ts";
import { rulesSeenBy } from "./seen-by.ts";
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

/**
 * Records an event of an automation, as the receivers of its project see it. Those of automations for all projects have no
 * project.
 */
export async function recordRule(
  ctx: InTenant,
  event: typeof automationCreated | typeof automationDeleted | typeof automationDisabled,
  view: AutomationView,
): Promise<void> {
  const [data] = await rulesSeenBy(receiversIn(ctx, view.project_id), [view], { addresses: false });
  record(contextFor(ctx, view), event, data!);
}

/** Records a change of an automation in the same way. A change of what receivers do not see is named all the same. */
export async function recordRuleChange(ctx: InTenant, before: AutomationView, after: AutomationView): Promise<void> {
  const { previous, changed } = differenceOf(before, after, automationUpdated.derived);
  const both = [after, previous as Partial<AutomationView>];
  const [data, old] = await rulesSeenBy(receiversIn(ctx, after.project_id), both, { addresses: false });
  recordDifference(contextFor(ctx, after), automationUpdated, data as AutomationView, { previous: old!, changed });
}

type InTenant = Writing & Pick<InWorkspace, "workspace">;

const contextFor = <Ctx extends Writing & Pick<InWorkspace, "workspace">>(
  ctx: Ctx,
  { project_id }: Pick<AutomationView, "project_id">,
) => ({ ...ctx, project: { id: project_id } });
