import { z } from "zod";
import { integer, metadata, read, text } from "./form.ts";
import type { Refund } from "./objects.ts";
import { invalid, noSuch } from "./refusal.ts";
import { newId } from "./store.ts";
import type { Call, World } from "./world.ts";

const RefundInput = z.strictObject({
  payment_intent: text.optional(),
  charge: text.optional(),
  amount: integer.optional(),
  reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
  metadata,
});

/** `POST /v1/refunds`: refunds the rest of a payment, or `amount` of it. */
export function createRefund(call: Call): Refund {
  const { world, form } = call;
  const input = read(RefundInput, form);
  const charge = findCharge(world, input.payment_intent, input.charge);
  const left = charge.amount_captured - charge.amount_refunded;
  const { amount = left } = input;
  if (left === 0) {
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
  }
  if (amount < 1 || amount > left) {
    throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
      param: "amount",
    });
  }

  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
  const refund = world.store.add<Refund>({
    id: newId("re"),
    object: "refund",
    created: world.now(),
    livemode: false,
    amount,
    charge: charge.id,
    currency: charge.currency,
    metadata: input.metadata,
    payment_intent: charge.payment_intent,
    reason: input.reason ?? null,
    status: "succeeded",
  });
  world.emit("refund.created", refund, call);
  world.emit("charge.refunded", charge, call);
  return refund;
}

/** The bank returns a refund, days later. */
export function failRefund(world: World, refund: Refund): Refund {
  const charge = world.store.get("charge", refund.charge);
  if (refund.status === "failed" || !charge) return refund;
  refund.status = "failed";
  refund.failure_reason = "lost_or_stolen_card";
  charge.amount_refunded -= refund.amount;
  charge.refunded = false;
  world.emit("refund.failed", refund);
  return refund;
}

function findCharge({ store }: World, intentId: string | undefined, chargeId: string | undefined) {
  if (intentId === undefined && chargeId === undefined) {
    throw invalid("One of the following params should be provided for this request: payment_intent or charge.");
  }
  const intent = intentId === undefined ? undefined : store.get("payment_intent", intentId);
  if (intentId !== undefined && !intent) throw noSuch("payment_intent", intentId, "payment_intent");
  const id = chargeId ?? intent?.latest_charge ?? "";
  const charge = store.get("charge", id);
  if (!charge) throw noSuch("charge", id, "charge");
  if (charge.status !== "succeeded") throw invalid(`Charge ${charge.id} cannot be refunded.`);
  return charge;
}
