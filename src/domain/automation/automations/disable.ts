import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { disableRule } from "./disable.sql.ts";
import { automationDisabled, recordRule } from "./events.ts";
import { readRule } from "./rules.sql.ts";
import { touchRules } from "./touch.sql.ts";
import { type AutomationView, automationView, type DisabledReason } from "./view.ts";

/**
 * Disables an automation when the service decides it, not a person. It locks the workspace, so the transaction must not
 * hold the lock of a run or of anything that comes later in the order of locks.
 * @returns the automation, or null if it is disabled or deleted already
 */
export async function disable(
  ctx: Writing & Pick<InWorkspace, "workspace">,
  id: string,
  reason: Exclude<DisabledReason, "user">,
): Promise<AutomationView | null> {
  await lockWorkspace(ctx, ctx.workspace.id);
  if (!(await disableRule(ctx.tx, ctx.workspace.id, { id, reason, now: ctx.now }))) return null;
  await touchRules(ctx);
  const view = automationView(ctx, (await readRule(ctx.tx, ctx.workspace.id, id))!);
  await recordRule(ctx, automationDisabled, view);
  return view;
}
