import { type Background, write } from "../../events/background.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { touchRules } from "../automations/touch.sql.ts";
import { type Disabling, isToBeDisabled, type OfAutomation, storeDisabled } from "./disable.sql.ts";

/** Disables automations that cannot go on, and tells the admins. */

/** Disables an automation because of loops or errors. Nothing happens if that is no longer necessary. */
export async function disableFor(ctx: Background, of: OfAutomation, reason: "loop" | "failing"): Promise<void> {
  const place = { ...ctx, workspace: { id: of.workspace_id } } as Background & Pick<InWorkspace, "workspace">;
  await write(place, of.workspace_id, (tx) => disableIn(tx, { ...of, plan: null }, reason));
}

/** The same in the caller's transaction, which has no locks yet. */
export async function disableIn(
  ctx: Writing & Pick<InWorkspace, "workspace">,
  of: OfAutomation & { plan: { creator_id: string } | null },
  reason: Disabling,
): Promise<void> {
  await lockWorkspace(ctx, of.workspace_id);
  if (!(await isToBeDisabled(ctx, of, reason, of.plan?.creator_id ?? null))) return;
  await storeDisabled(ctx, of, reason);
  await touchRules(ctx);
}
