import { type Background, write } from "../background.ts";
import { record } from "../events.ts";
import type { Closing } from "./conclude.sql.ts";
import { disableWebhook } from "./disable.sql.ts";
import { webhookView } from "./view.ts";
import { findWebhook } from "./webhooks.sql.ts";

/**
 * Stops a webhook that answers 410 or has failed for too long, and tells the workspace's other webhooks. If the process
 * dies before, the next failure asks for it again.
 */
export async function disable(
  ctx: Background,
  webhook: { id: string; workspace_id: string },
  reason: Closing,
): Promise<void> {
  await write(ctx, webhook.workspace_id, async (ctx) => {
    if (!(await disableWebhook(ctx.tx, webhook, reason, ctx.now))) return;
    const row = await findWebhook(ctx.tx, { workspaceId: webhook.workspace_id, projectIds: null }, webhook.id);
    if (!row) return;
    // Its headers may hold credentials for its receiver, which other receivers are not to see.
    const { headers: _, ...data } = webhookView(ctx, row);
    record(ctx, "webhook.disabled", { workspace_id: webhook.workspace_id, data });
  });
}
