import { setTimeout as sleep } from "node:timers/promises";
import { record } from "../../events/record.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { findDelivery, insertDelivery, isOver } from "./deliveries.sql.ts";
import { deliveriesOf, deliveryView } from "./deliveries.ts";
import type { WebhookEntity } from "./entities.ts";
import { webhookTest } from "./events.ts";
import type { WebhookDeliveryView } from "./view.ts";

const TESTS_PER_MINUTE = 6;

const WAIT_MS = 3_000;
const FIRST_PAUSE_MS = 25;
const MAX_PAUSE_MS = 100;

export type TestDelivery = WebhookDeliveryView & { webhook_id: string };

/**
 * Writes the delivery of a signed `webhook.test`, also for a disabled webhook. It is tried once and does not count for
 * the webhook's health.
 */
export async function send(ctx: InWorkspace & Writing, { id: webhook_id }: WebhookEntity): Promise<TestDelivery> {
  const workspaceId = ctx.workspace.id;
  const message = "This is a test. If you can read it and its signature verifies, all is well.";
  record(ctx, webhookTest, { webhook_id, message }, { context: { webhook_id } });
  const delivery_id = ctx.recorded.at(-1)!.id;
  const id = newId();
  await insertDelivery(ctx.tx, workspaceId, { id, webhook_id, delivery_id, event_type: "webhook.test" });
  const row = (await findDelivery(ctx.tx, deliveriesOf(ctx, { id: webhook_id }), id))!;
  return { ...deliveryView(row, ctx.workspace), webhook_id };
}

/** Waits up to WAIT_MS until a worker has sent the test. Returns the delivery as it is then, possibly still pending. */
export async function outcome(ctx: InWorkspace, sent: TestDelivery): Promise<WebhookDeliveryView> {
  const workspaceId = ctx.workspace.id;
  for (let waited = 0, pause = FIRST_PAUSE_MS; waited < WAIT_MS; waited += pause, pause = longer(pause)) {
    await sleep(pause);
    if (!(await isOver(ctx.db, workspaceId, sent.id))) continue;
    const row = await findDelivery(ctx.db, deliveriesOf(ctx, { id: sent.webhook_id }), sent.id);
    return row ? deliveryView(row, ctx.workspace) : sent;
  }
  return sent;
}

const longer = (pause: number) => Math.min(MAX_PAUSE_MS, pause * 1.5);

/**
 * Counts a test against its limit. Runs before the transaction, because Redis may be slow. @throws Refusal rate_limited
 */
export async function countTest({ ports, workspace }: InWorkspace, webhook: string): Promise<void> {
  const id = readId(webhook);
  if (!id) return;
  const key = `webhook-test:${workspace.id}:${id}`;
  const taken = await ports.rateLimiter.take(key, 1, TESTS_PER_MINUTE);
  if (!taken || taken.allowed) return;
  refuse("rate_limited", {
    message: `A webhook can be tested ${TESTS_PER_MINUTE} times a minute; retry in ${taken.resetSeconds} s.`,
    limit: TESTS_PER_MINUTE,
    "violated-policies": ["webhook-test"],
    headers: { "Retry-After": String(taken.resetSeconds) },
  });
}
