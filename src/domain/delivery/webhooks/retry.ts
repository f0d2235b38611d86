import { audit } from "../../events/audit/audit.ts";
import { record } from "../../events/record.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { findDelivery } from "./deliveries.sql.ts";
import { deliveriesOf, deliveryView } from "./deliveries.ts";
import type { WebhookEntity } from "./entities.ts";
import { webhookRetried, webhookRetryAsked, webhookTest } from "./events.ts";
import { retryMessage } from "./retry.sql.ts";
import type { WebhookDeliveryView } from "./view.ts";
import { targetOf } from "./webhooks.ts";

/**
 * Sends a message again now, whatever became of it. If the attempt fails, what is left of the schedule follows. While the
 * message waits or is being sent, another call adds nothing. Returns the attempt.
 * @param hook locked
 * @throws Refusal invalid_state_change
 */
export async function retry(
  ctx: InWorkspace & Writing,
  hook: WebhookEntity,
  { delivery_id, event_type }: Pick<WebhookDeliveryView, "delivery_id" | "event_type">,
): Promise<WebhookDeliveryView> {
  refuseDisabled(hook);
  if (event_type === webhookTest.name) {
    refuse("invalid_state_change", { message: `A test is not sent again. Send a new one: ${action(hook, "test")}.` });
  }
  const message = { workspaceId: ctx.workspace.id, webhookId: hook.id, messageId: delivery_id };
  const { kept, due } = await retryMessage(ctx.tx, message, newId());
  if (!kept) refuse("invalid_state_change", { message: "The event of this message is no longer kept." });
  if (due) {
    record(ctx, webhookRetryAsked, { webhook_id: hook.id });
    audit(ctx, webhookRetried, targetOf(hook), { delivery_id: [null, delivery_id] });
  }
  const row = (await findDelivery(ctx.tx, deliveriesOf(ctx, hook), delivery_id))!;
  return deliveryView(row, ctx.workspace);
}

/** A disabled webhook gets tests only. @throws Refusal invalid_state_change */
export function refuseDisabled(hook: WebhookEntity): void {
  if (hook.disabled_at === null) return;
  refuse("invalid_state_change", {
    message: `The webhook is disabled. Enable it first with PATCH and {"enabled": true}, or send a test: ${action(hook, "test")}.`,
  });
}

const action = ({ id }: WebhookEntity, name: string) => `POST webhooks/${id}/${name}`;
