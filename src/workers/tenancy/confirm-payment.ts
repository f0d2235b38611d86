import { eventById } from "../../domain/events/events.sql.ts";
import { CardsAway } from "../../domain/kernel/ports/card-processor.ts";
import { reconcile } from "../../domain/tenancy/credits/settle.ts";
import { confirmPayment } from "../../queues/index.ts";
import { worker } from "../worker.ts";

/** Asks the processor about a purchase and grants its credits: the only place that does. */
export const confirmPaymentWorker = worker(confirmPayment, async (ctx, { workspace_id, event_id }) => {
  const event = await eventById(ctx.db, workspace_id, event_id);
  const { purchase_id, payment_intent } = (event?.data ?? {}) as { purchase_id?: string; payment_intent?: string };
  if (!purchase_id) return { outcome: "nothing to do" };
  try {
    return { outcome: await reconcile(ctx, workspace_id, purchase_id, payment_intent) };
  } catch (error) {
    if (!(error instanceof CardsAway)) throw error;
    // The purchase's row says when it is asked again, so the job is done.
    ctx.log.warn({ purchase_id, reason: error.message }, "the card processor is away; the sweep asks it again");
    return { outcome: "away" };
  }
});
