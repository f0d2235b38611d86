import { z } from "zod";
import { eventById } from "../../domain/events/events.sql.ts";
import { newId } from "../../domain/kernel/ids.ts";
import { ALWAYS, defineQueue, id, seconds } from "../../queues/queue.ts";
import { serve } from "../worker.ts";
import { deliverWebhook } from "./deliver-webhook.ts";

/** Starts the delivery to a webhook for which somebody has queued a message again. */
export const startDeliveries = defineQueue("start-deliveries", {
  on: ["webhook.retry_asked"],
  listeners: ALWAYS,
  payload: z.object({ workspace_id: id, event_id: id }),
  retry: seconds(1, 5, 30),
  concurrency: 10,
});

export const worker = serve(startDeliveries, async (ctx, { workspace_id, event_id }, { add }) => {
  const event = await eventById(ctx.db, workspace_id, event_id);
  const { webhook_id } = (event?.data ?? {}) as { webhook_id?: string };
  if (!webhook_id) return { started: 0 };
  // The id is new, because a job with the webhook's id may just be ending.
  await add(deliverWebhook, [{ id: newId(), payload: { workspace_id, webhook_id } }]);
  return { started: 1 };
});
