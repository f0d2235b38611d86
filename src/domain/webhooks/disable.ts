import { type Background, write } from "../background.ts";
import { record } from "../events.ts";
import type { Closing } from "./conclude.sql.ts";
import { disableWebhook } from "./disable.sql.ts";

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
    const data = await disableWebhook(ctx.tx, webhook, reason, ctx.now);
    // Without its headers, which may hold its receiver's own credentials.
    if (data) record(ctx, "webhook.disabled", { workspace_id: webhook.workspace_id, data });
  });
}
