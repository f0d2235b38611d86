import { type Background, write } from "../../events/background.ts";
import { type MailContent, writeMail } from "../../events/mail/mail.ts";
import { ownersAnd, workspaceOf } from "../../events/mail/recipients.sql.ts";
import { record } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import { lockEntity } from "../../kernel/locks.sql.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { disableWebhook, type HookRef, markFailing } from "./disable.sql.ts";
import { WebhookEntity } from "./entities.ts";
import { webhookDisabled } from "./events.ts";
import { disabledMail, failingMail } from "./mails.ts";
import { webhookView } from "./view.ts";
import type { Closing, Step } from "./webhook-lease.sql.ts";
import { findWebhook } from "./webhooks.sql.ts";

const MAIL_EXPIRES_AFTER_DAYS = 30;

/** Marks a webhook as failing or disables it, depending on its recent attempts. */
export async function actOnHealth(
  ctx: Background,
  hook: HookRef,
  { closing, warning, at }: Pick<Step, "closing" | "warning" | "at">,
): Promise<void> {
  const now = { ...ctx, now: at };
  if (closing) await disable(now, hook, closing);
  else if (warning) await warn(now, hook);
}

/**
 * Disables a webhook that replied 410 or has failed for too long. Notifies the owners, its creator and the workspace's
 * other webhooks. If the process dies first, the next failure starts it again.
 */
function disable(ctx: Background, hook: HookRef, reason: Closing): Promise<void> {
  return write(ctx, hook.workspace_id, async (tx) => {
    await lockEntity(tx, WebhookEntity, { id: hook.webhook_id });
    if (!(await disableWebhook(tx.tx, hook, reason, tx.now))) return;
    const row = await rowOf(tx, hook);
    if (!row) return;
    // Its headers may contain credentials for its receiver, which other receivers must not see.
    const { headers: _, ...data } = webhookView(tx, row);
    record({ ...tx, workspace: { id: hook.workspace_id } }, webhookDisabled, data);
    await notify(tx, hook, (workspace) => disabledMail(row, workspace, tx.settings.baseUrl), row.created_by);
  });
}

/** Warns by mail that a webhook will be disabled, once it has failed for half of that time. */
function warn(ctx: Background, hook: HookRef): Promise<void> {
  return write(ctx, hook.workspace_id, async (tx) => {
    if (!(await markFailing(tx.tx, hook, tx.now))) return;
    const row = await rowOf(tx, hook);
    if (row) await notify(tx, hook, (workspace) => failingMail(row, workspace), row.created_by);
  });
}

const rowOf = ({ tx }: Writing, { workspace_id, webhook_id }: HookRef) => findWebhook(tx, workspace_id, webhook_id);

async function notify(
  tx: Writing,
  { workspace_id }: HookRef,
  contentFor: (workspace: Workspace) => MailContent,
  makerId: string,
): Promise<void> {
  if (!tx.settings.people.mail) return;
  const content = contentFor(await workspaceOf(tx.db, workspace_id));
  const expiresAt = new Date(Date.parse(tx.now) + MAIL_EXPIRES_AFTER_DAYS * 86_400_000).toISOString();
  for (const to of await ownersAnd(tx.db, workspace_id, makerId)) {
    await writeMail(tx, { kind: "webhook", workspaceId: workspace_id, to, content, expiresAt });
  }
}
