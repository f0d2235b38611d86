import type { Background } from "../../events/background.ts";
import { withRetries } from "../../kernel/with-retries.ts";
import { attempt } from "./attempt.ts";
import { judge } from "./health.ts";
import { concludeTest, endpointOf, testSkipped, tests } from "./tests.sql.ts";
import { eventsOf } from "./webhook-lease.sql.ts";

/** Added to the receiver's timeout, for building the message and storing the outcome. */
const LEASE_MARGIN_MS = 5_000;

/**
 * Sends a `webhook.test` once, without waiting for other deliveries, and also to a disabled webhook. Returns whether
 * there was one to send.
 */
export async function deliverTest(ctx: Background, test: { id: string; workspace_id: string }): Promise<boolean> {
  const rules = ctx.settings.webhooks;
  const { id, workspace_id } = test;
  const delivery = await tests.claim(ctx.db, id, workspace_id, rules.timeoutMs + LEASE_MARGIN_MS);
  if (!delivery) return false;
  const endpoint = await endpointOf(ctx.db, workspace_id, delivery.webhook_id);
  if (!endpoint) {
    await testSkipped(ctx.db, [delivery]);
    return false;
  }
  const hook = { workspace_id, webhook_id: delivery.webhook_id };
  const events = await eventsOf(ctx.db, hook, [delivery.delivery_id], { largeToo: true });
  const event = events.get(delivery.delivery_id);
  const outgoing = { delivery, endpoint, hook, event };
  const { outcome, request_headers } = await attempt(ctx, outgoing);
  const verdict = judge(outcome, { attempt: delivery.attempt, test: true }, rules, 0);
  await withRetries(() => concludeTest(ctx.db, delivery, verdict, request_headers));
  return true;
}
