import { reconcile } from "../domain/credits/settle.ts";
import { eventById } from "../domain/events.sql.ts";
import { confirmPayment } from "../queues/index.ts";
import { worker } from "./worker.ts";

/** Asks the processor about a purchase and grants its credits: the only place that does. */
export const confirmPaymentWorker = worker(confirmPayment, async (ctx, { workspace_id, event_id }) => {
  const event = await eventById(ctx.db, workspace_id, event_id);
  const { purchase_id, payment_intent } = (event?.data ?? {}) as { purchase_id?: string; payment_intent?: string };
  return { outcome: purchase_id ? await reconcile(ctx, workspace_id, purchase_id, payment_intent) : "nothing to do" };
});
