import type { CardDetails, PaymentMethod } from "./objects.ts";
import { newId } from "./store.ts";

/** The behaviour of a card or token when it is charged. */
export type Behaviour =
  | { kind: "succeeds" }
  | { kind: "declines"; code: string; decline_code?: string; message: string }
  /** Only its holder can pay with it. */
  | { kind: "authenticates" }
  | { kind: "processes" }
  /** It pays, and its holder disputes the payment at once. */
  | { kind: "disputes" };

type TestCard = { brand: string; last4: string; behaviour: Behaviour };

const card = (last4: string, behaviour: Behaviour = { kind: "succeeds" }, brand = "visa"): TestCard => ({
  brand,
  last4,
  behaviour,
});

const bankDeclines = (decline_code: string, message = "Your card was declined."): Behaviour => ({
  kind: "declines",
  code: "card_declined",
  decline_code,
  message,
});

/** Stripe's own test payment methods. */
export const TEST_CARDS: Record<string, TestCard> = {
  pm_card_visa: card("4242"),
  pm_card_mastercard: card("4444", undefined, "mastercard"),
  pm_card_amex: card("8431", undefined, "amex"),
  pm_card_chargeDeclined: card("0002", bankDeclines("generic_decline")),
  pm_card_visa_chargeDeclined: card("0002", bankDeclines("generic_decline")),
  pm_card_chargeCustomerFail: card("0341", bankDeclines("generic_decline")),
  pm_card_visa_chargeDeclinedInsufficientFunds: card(
    "9995",
    bankDeclines("insufficient_funds", "Your card has insufficient funds."),
  ),
  pm_card_chargeDeclinedInsufficientFunds: card(
    "9995",
    bankDeclines("insufficient_funds", "Your card has insufficient funds."),
  ),
  pm_card_visa_chargeDeclinedLostCard: card("9987", bankDeclines("lost_card")),
  pm_card_chargeDeclinedExpiredCard: card("0069", {
    kind: "declines",
    code: "expired_card",
    message: "Your card has expired.",
  }),
  pm_card_chargeDeclinedProcessingError: card("0119", {
    kind: "declines",
    code: "processing_error",
    message: "An error occurred while processing your card. Try again in a little bit.",
  }),
  pm_card_authenticationRequired: card("3184", { kind: "authenticates" }),
  pm_card_threeDSecure2Required: card("3220", { kind: "authenticates" }),
  pm_card_createDispute: card("0259", { kind: "disputes" }),
};

export const isTestCard = (name: string): boolean => Object.hasOwn(TEST_CARDS, name);

export const behaviourOf = (name: string): Behaviour => TEST_CARDS[name]?.behaviour ?? { kind: "succeeds" };

export const declineOf = (decline_code: string): Behaviour => bankDeclines(decline_code);

export function detailsOf(name: string, now: number): CardDetails {
  const { brand, last4 } = TEST_CARDS[name] ?? card("4242");
  const exp_year = new Date(now * 1000).getUTCFullYear() + 4;
  return { brand, last4, exp_month: 12, exp_year, fingerprint: `fp_${brand}_${last4}` };
}

export const newPaymentMethod = (name: string, now: number, customer: string | null = null): PaymentMethod => ({
  id: newId("pm"),
  object: "payment_method",
  created: now,
  livemode: false,
  type: "card",
  card: detailsOf(name, now),
  customer,
  metadata: {},
  _card: name,
});
