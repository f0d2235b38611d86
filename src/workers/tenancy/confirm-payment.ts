import { z } from "zod";
import { eventById } from "../../domain/events/events.sql.ts";
import { CardsAway } from "../../domain/kernel/ports/card-processor.ts";
import { reconcile } from "../../domain/tenancy/credits/reconcile.ts";
import { ALWAYS, defineQueue, id, seconds } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Checks a purchase at the card processor and grants its credits. */
export const confirmPayment = defineQueue("confirm-payment", {
  on: ["payment.succeeded", "payment.noticed"],
  listeners: ALWAYS,
  payload: z.object({ workspace_id: id, event_id: id }),
  retry: seconds(1, 2, 5, 10, 30, 60, 300, 1800, 7200),
  concurrency: 20,
});

export const worker = serve(confirmPayment, async (ctx, { workspace_id, event_id }) => {
  const event = await eventById(ctx.db, workspace_id, event_id);
  const { purchase_id, payment_intent } = (event?.data ?? {}) as { purchase_id?: string; payment_intent?: string };
  if (!purchase_id) return { outcome: "nothing to do" };
  try {
    return { outcome: await reconcile(ctx, workspace_id, purchase_id, payment_intent) };
  } catch (error) {
    if (!(error instanceof CardsAway)) throw error;
    // The purchase's row says when it is checked again, so the job is done.
    ctx.log.warn(
      { purchase_id, reason: error.message },
      "the card processor is unavailable; the sweep checks the purchase again",
    );
    return { outcome: "away" };
  }
});
