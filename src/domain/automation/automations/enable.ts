import { actsFor, takeOver } from "../../access/identity/set-up-by.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { enforcePlanLimit } from "../../kernel/plan-limit.ts";
import { clearFailures } from "../automation-runs/tally.sql.ts";
import { countRules, isActiveAdmin } from "./rules.sql.ts";
import type { Rule, RuleRow } from "./view.ts";

/**
 * What changes when an automation is enabled or disabled. Enabling clears its failures. The caller takes the automation
 * over if its creator is no longer an admin, if its key has ended, or if it reaches further than the caller's key.
 * @throws Refusal plan_required, plan_limit_reached
 */
export async function switched(
  ctx: InWorkspace & Writing,
  row: RuleRow,
  enabled: boolean | undefined,
): Promise<Partial<Rule>> {
  if (enabled === undefined) return {};
  // A person who disables what the service has stopped does not want it to start again, such as with the next plan.
  const isOff = !row.enabled && row.disabled_reason !== "plan" && row.disabled_reason !== "credential_ended";
  if (!enabled) return isOff ? {} : { enabled, disabled_reason: "user" };
  if (!row.enabled) await checkPlan(ctx);
  await clearFailures(ctx.tx, row.id);
  if (row.enabled) return {};
  const keeps = row.disabled_reason !== "rights" && (await isActiveAdmin(ctx, row.created_by));
  const taken = keeps ? await takeOver(ctx, row, { redefined: false }) : actsFor(ctx.principal);
  return { enabled, disabled_reason: null, ...taken };
}

async function checkPlan(ctx: InWorkspace & Writing) {
  const { plan } = ctx.workspace;
  if (ctx.settings.plans(plan, "automations") === 0) refuse("plan_required", { plan, required_plan: "pro" });
  await enforcePlanLimit(ctx, "automations", async () => (await countRules(ctx.tx, ctx.workspace.id)).enabled);
}
