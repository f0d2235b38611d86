import type { Behaviour } from "./cards.ts";
import { openDispute } from "./disputes.ts";
import { type Charge, type PaymentError, type PaymentIntent, type PaymentMethod, visible } from "./objects.ts";
import type { PaymentSource } from "./payment-source.ts";
import { Refusal } from "./refusal.ts";
import { newId } from "./store.ts";
import { spend } from "./tokens.ts";
import type { Call, Cause, World } from "./world.ts";

/** Charges an intent in one step. @throws Refusal 402 with the intent, if the card declines */
export function confirm(call: Call, intent: PaymentIntent, source: PaymentSource): PaymentIntent {
  const { world } = call;
  const { method, token } = source;
  const behaviour = call.forced ?? source.behaviour;
  intent.payment_method = method.id;
  intent.last_payment_error = null;
  intent.next_action = null;
  call.silent = source.silent;

  if (behaviour.kind === "declines") throw fail(world, intent, method, behaviour, call);
  if (behaviour.kind === "authenticates" && source.offSession) throw fail(world, intent, method, AUTHENTICATE, call);
  if (behaviour.kind === "authenticates") {
    intent.status = "requires_action";
    intent.next_action = { type: "use_stripe_sdk" };
    world.emit("payment_intent.requires_action", intent, call);
    return intent;
  }

  const charge = newCharge(world, intent, method);
  if (token) {
    spend(world, token, intent.amount);
    world.emit("shared_payment.granted_token.used", token, call);
  }
  if (behaviour.kind === "processes") {
    intent.status = "processing";
    world.emit("payment_intent.processing", intent, call);
    endProcessingAfterDelay(world, intent);
    return intent;
  }
  succeed(world, intent, charge, call);
  if (behaviour.kind === "disputes") openDispute(world, charge, { reason: "fraudulent" });
  return intent;
}

/** Ends a payment in `processing`. */
export function endProcessing(world: World, intent: PaymentIntent, outcome: "succeeded" | "failed"): void {
  const charge = intent.latest_charge && world.store.get("charge", intent.latest_charge);
  if (intent.status !== "processing" || !charge) return;
  if (outcome === "succeeded") {
    succeed(world, intent, charge);
    return;
  }
  charge.status = "failed";
  charge.failure_code = "card_declined";
  intent.status = "requires_payment_method";
  intent.last_payment_error = { type: "card_error", code: "card_declined", message: "Your card was declined." };
  world.emit("payment_intent.payment_failed", intent);
}

export function endProcessingAfterDelay(world: World, intent: PaymentIntent): void {
  if (world.processingMs === undefined) return;
  setTimeout(() => endProcessing(world, intent, "succeeded"), world.processingMs).unref();
}

const AUTHENTICATE: Declines = {
  kind: "declines",
  code: "authentication_required",
  decline_code: "authentication_required",
  message: "Your card was declined. This transaction requires authentication.",
};

type Declines = Extract<Behaviour, { kind: "declines" }>;

function succeed(world: World, intent: PaymentIntent, charge: Charge, cause?: Cause): void {
  Object.assign(charge, { status: "succeeded", paid: true, captured: true, amount_captured: charge.amount });
  intent.status = "succeeded";
  intent.amount_received = intent.amount;
  world.emit("charge.succeeded", charge, cause);
  world.emit("payment_intent.succeeded", intent, cause);
}

function fail(world: World, intent: PaymentIntent, method: PaymentMethod, declines: Declines, cause: Cause): Refusal {
  const { kind: _, ...why } = declines;
  const charge = newCharge(world, intent, method);
  charge.status = "failed";
  charge.failure_code = why.code;
  charge.failure_message = why.message;
  const error: PaymentError = { type: "card_error", ...why, charge: charge.id, payment_method: visible(method) };
  intent.status = "requires_payment_method";
  intent.payment_method = null;
  intent.last_payment_error = error;
  world.emit("charge.failed", charge, cause);
  world.emit("payment_intent.payment_failed", intent, cause);
  return new Refusal(402, { ...error, payment_intent: visible(intent) });
}

function newCharge(world: World, intent: PaymentIntent, method: PaymentMethod): Charge {
  const charge = world.store.add<Charge>({
    id: newId("ch"),
    object: "charge",
    created: world.now(),
    livemode: false,
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    captured: false,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: null,
    failure_message: null,
    metadata: intent.metadata,
    paid: false,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: "card", card: method.card },
    refunded: false,
    status: "pending",
  });
  intent.latest_charge = charge.id;
  return charge;
}
