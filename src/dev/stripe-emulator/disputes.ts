import type { Charge, Dispute } from "./objects.ts";
import { newId } from "./store.ts";
import type { World } from "./world.ts";

/** A cardholder disputes a charge. The money is withdrawn at once, unless it is only an inquiry. */
export function openDispute(
  world: World,
  charge: Charge,
  { amount = charge.amount, reason = "fraudulent", inquiry = false } = {},
): Dispute {
  charge.disputed = true;
  const dispute = world.store.add<Dispute>({
    id: newId("du"),
    object: "dispute",
    created: world.now(),
    livemode: false,
    amount,
    charge: charge.id,
    currency: charge.currency,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: inquiry ? "warning_needs_response" : "needs_response",
  });
  world.emit("charge.dispute.created", dispute);
  if (!inquiry) world.emit("charge.dispute.funds_withdrawn", dispute);
  return dispute;
}

/** The bank decides a dispute. If the seller wins, the money is returned. */
export function closeDispute(world: World, dispute: Dispute, status: "won" | "lost"): Dispute {
  dispute.status = status;
  if (status === "won") world.emit("charge.dispute.funds_reinstated", dispute);
  world.emit("charge.dispute.closed", dispute);
  return dispute;
}
