import { type Background, write } from "../background.ts";
import type { Writing } from "../context.ts";
import { record } from "../events.ts";
import { lockEntity } from "../locks.sql.ts";
import { disableWebhook, type HookRef, markFailing } from "./disable.sql.ts";
import { WebhookEntity } from "./entities.ts";
import type { Closing, Step } from "./turn.sql.ts";
import { webhookView } from "./view.ts";
import { findWebhook } from "./webhooks.sql.ts";

/** Marks a webhook as failing, or disables it, when its attempts call for that. */
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
 * Stops a webhook that answers 410 or has failed for too long, and tells the workspace's other
 * webhooks. If the process dies before, the next failure asks for it again.
 */
function disable(ctx: Background, hook: HookRef, reason: Closing): Promise<void> {
  return write(ctx, hook.workspace_id, async (tx) => {
    await lockEntity(tx, WebhookEntity, { id: hook.webhook_id });
    if (!(await disableWebhook(tx.tx, hook, reason, tx.now))) return;
    const row = await rowOf(tx, hook);
    if (!row) return;
    // Its headers may hold credentials for its receiver, which other receivers are not to see.
    const { headers: _, ...data } = webhookView(tx, row);
    record(tx, "webhook.disabled", { workspace_id: hook.workspace_id, data });
  });
}

/** Marks a webhook that has failed for half as long as it takes to be disabled. */
function warn(ctx: Background, hook: HookRef): Promise<void> {
  return write(ctx, hook.workspace_id, async (tx) => {
    await markFailing(tx.tx, hook, tx.now);
  });
}

const rowOf = ({ tx }: Writing, { workspace_id, webhook_id }: HookRef) =>
  findWebhook(tx, { workspaceId: workspace_id, projectIds: null }, webhook_id);
