import { countOf, idOf, SAMPLE, timesOf } from "../../kernel/described.ts";

/** Descriptions of the fields of purchases and receipts for the API description. */

const CHALLENGE = "ch_7Jf3EXAMPLE";

export const aboutReceipt = {
  status: ["Always `success`."],
  method: ["Means of payment that the challenge asked for.", "card"],
  timestamp: ["When the payment succeeded.", "2026-01-15T09:30:00.000Z"],
  reference: ["Id of the payment at the card processor.", "pi_3EXAMPLE"],
  amount: ["What was charged, in cents, as a string of digits.", "2000"],
  currency: ["Currency of `amount`, as an ISO 4217 code.", "USD"],
  credits: countOf("Credits that the payment added to the balance. They do not expire with the month.", 2_000),
  pack: ["Pack that was bought.", "small"],
  challengeId: ["Id of the challenge that was paid.", CHALLENGE],
  purchaseId: ["Identifies the purchase in replies, receipts and the list of purchases.", SAMPLE.other],
  workspace: ["Slug of the workspace that has the credits.", "acme"],
  issuer: ["Address of the service. Its keys at `/.well-known/ucp` verify the signature.", "https://muster.example"],
  intent: ["Always `charge`."],
  paymentType: ["How it was paid."],
  kid: ["Id of the key that made the signature.", "k1"],
  signature: [
    "Detached JWS (EdDSA) over the canonical JSON (RFC 8785) of the other members.",
    "eyJhbGciOiJFZERTQSJ9..EXAMPLE",
  ],
} as const;

export const aboutPurchase = {
  id: idOf("purchase"),
  purchase_id: ["Id of the purchase, again.", SAMPLE.other],
  challenge_id: ["Id of the challenge that was paid.", CHALLENGE],
  pack: ["Pack that was bought.", "small"],
  credits: countOf("Credits that the payment added to the balance. They do not expire with the month.", 2_000),
  amount: ["What the pack costs, in cents, as a string of digits.", "2000"],
  currency: ["Currency of the price, as an ISO 4217 code.", "USD"],
  payment_status: [
    "State of the payment. `refunded`: the charge came after the purchase had failed and been replaced; the money goes back.",
    "succeeded",
  ],
  credits_status: [
    "State of the credits: `pending` until they are in the balance, `none` if the payment failed.",
    "granted",
  ],
  ai_credits: ["The workspace's credits after the purchase."],
  balance: countOf("Credits that the workspace can spend: both figures of `ai_credits` together.", 6_880),
  refunded_credits: countOf("Credits taken back so far, by refunds and disputes.", 0),
  receipt: ["Signed receipt. `null` until the payment has succeeded."],
  created_at: timesOf("purchase").created_at,
} as const;

export const aboutBalance = {
  remaining: countOf("Credits that are left of the monthly grant.", 4_880),
  topup_balance: countOf("Purchased credits that are not spent yet.", 2_000),
} as const;

export const aboutCardSetup = {
  url: [
    "Page of the card processor for a person's browser. Valid for a day.",
    "https://checkout.stripe.com/c/pay/EXAMPLE",
  ],
} as const;

export const aboutCustomCredits = { credits: ["Number of credits to buy, at 1 cent each.", 500] } as const;

export const aboutCreditEvents = {
  purchase_id: ["Identifies the purchase. The same purchase has the same id in receipts and events.", SAMPLE.other],
  pack: ["Pack that was bought.", "small"],
  credits: countOf("Credits that the payment added to the balance. They do not expire with the month.", 2_000),
  amount_cents: countOf("What was charged, in cents.", 2_000),
  currency: ["Currency of the price, as an ISO 4217 code."],
  topup_balance: countOf("Purchased credits that are not spent yet.", 2_000),
  balance: countOf("Credits that the workspace can still spend.", 480),
  threshold: countOf("Balance below which the event is sent.", 500),
  payment_intent: ["Id of the payment at the card processor. `null` if unknown.", "pi_3EXAMPLE"],
  reason: ["Why the money goes back: the charge came after the purchase had been replaced."],
} as const;
