import type { Background } from "../../events/background.ts";
import { patiently } from "../../kernel/patiently.ts";
import { attempt } from "./attempt.ts";
import { judge } from "./health.ts";
import { claimTest, concludeTest } from "./tests.sql.ts";
import { eventsOf } from "./turn.sql.ts";

/** Beyond the time the receiver has, for building the message and storing its end. */
const LEASE_MARGIN_MS = 5_000;

/** Sends a `webhook.test` once, whatever else is due, also to a disabled webhook. Answers whether there was one to send. */
export async function deliverTest(ctx: Background, test: { id: string; workspace_id: string }): Promise<boolean> {
  const rules = ctx.settings.webhooks;
  const { id, workspace_id } = test;
  const delivery = await claimTest(ctx.db, { id, workspace_id }, rules.timeoutMs + LEASE_MARGIN_MS);
  if (!delivery) return false;
  const events = await eventsOf(ctx.db, workspace_id, [delivery.delivery_id], { largeToo: true });
  const event = events.get(delivery.delivery_id);
  const { outcome, request_headers } = await attempt(ctx, {
    delivery,
    endpoint: delivery,
    workspaceId: workspace_id,
    event,
  });
  const verdict = judge(outcome, { attempt: delivery.attempt, test: true }, rules, 0);
  await patiently(() => concludeTest(ctx.db, delivery, workspace_id, verdict, request_headers));
  return true;
}
