import { type Background, write } from "../../events/background.ts";
import { writeMail } from "../../events/mail/mail.ts";
import { adminsOf, workspaceOf } from "../../events/mail/recipients.sql.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { disable } from "../automations/disable.ts";
import type { AutomationView } from "../automations/view.ts";
import { type Disabling, isToBeDisabled, type OfAutomation } from "./disable.sql.ts";
import { disabledMail } from "./mails.ts";

/** Disables automations that cannot go on, and tells the admins. */

const MAIL_EXPIRES_AFTER_DAYS = 30;

/** Disables an automation because of loops or errors. Nothing happens if that is no longer necessary. */
export async function disableFor(ctx: Background, of: OfAutomation, reason: "loop" | "failing"): Promise<void> {
  const place = { ...ctx, workspace: { id: of.workspace_id } } as Background & Pick<InWorkspace, "workspace">;
  await write(place, of.workspace_id, (tx) => disableIn(tx, { ...of, plan: null }, reason));
}

/**
 * The same in the caller's transaction, which has no locks yet.
 * @param of.plan the run that could not go on, if that is why
 */
export async function disableIn(
  ctx: Writing & Pick<InWorkspace, "workspace">,
  of: OfAutomation & { plan: { creator_id: string; key_id?: string | null } | null },
  reason: Disabling,
): Promise<void> {
  await lockWorkspace(ctx, of.workspace_id);
  if (!(await isToBeDisabled(ctx, of, reason, of.plan))) return;
  const view = await disable(ctx, of.automation_id, reason);
  if (view) await mailAdmins(ctx, of.workspace_id, view, reason);
}

async function mailAdmins(ctx: Writing, workspaceId: string, view: AutomationView, reason: Disabling): Promise<void> {
  if (!ctx.settings.people.mail) return;
  const content = disabledMail(view, reason, await workspaceOf(ctx.db, workspaceId), ctx.settings.baseUrl);
  const expiresAt = new Date(Date.parse(ctx.now) + MAIL_EXPIRES_AFTER_DAYS * 86_400_000).toISOString();
  for (const to of await adminsOf(ctx.db, workspaceId)) {
    await writeMail(ctx, { kind: "automation", workspaceId, to, content, expiresAt });
  }
}
