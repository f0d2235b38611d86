import { defineErrors, forbidden, invalid, payable, unavailable } from "../../kernel/define-errors.ts";

export const creditErrors = defineErrors({
  malformed_credential: invalid(
    "Malformed credential",
    "The Payment credential is malformed.",
    "Pay the new challenge.",
  ),
  method_unsupported: invalid(
    "Method unsupported",
    "The Payment credential names another payment method than the challenge. Nothing was charged.",
    "Use the challenge's method.",
  ),
  payment_required: payable(
    "Payment required",
    "This call is paid.",
    "Pay the challenge and send the call again with the credential.",
  ),
  challenge_unknown: payable("Unknown challenge", "This workspace has no such challenge.", "Pay the new one."),
  challenge_expired: payable("Challenge expired", "The challenge is older than ten minutes.", "Pay the new one."),
  challenge_consumed: payable(
    "Challenge used",
    "The challenge was paid with another credential. Nothing was charged now.",
    "Pay the new challenge only to buy more.",
  ),
  challenge_mismatch: payable(
    "Challenge mismatch",
    "The challenge was issued for a different purchase.",
    "Pay the new one.",
  ),
  payment_failed: payable(
    "Payment failed",
    "The card was declined. Nothing was charged.",
    "Pay the new challenge with another card, or ask the cardholder to call the bank.",
  ),
  payment_insufficient: payable(
    "Payment insufficient",
    "The token's limit is below the price. Nothing was charged.",
    "Pay the new challenge with a token whose limit covers the price.",
  ),
  payment_action_required: payable(
    "Action required",
    "The cardholder has to confirm the payment.",
    "Send a person to action_url to do so.",
  ),
  no_saved_card: payable(
    "No saved card",
    "The workspace has no saved card.",
    "Send an owner or admin to action_url to save one.",
  ),
  payment_unknown: unavailable(
    "Payment outcome unknown",
    "The card processor has not reported the outcome.",
    "Do not pay again: repeat the same call until it gets a reply.",
  ),
  payments_off: unavailable(
    "Payments off",
    "This installation has no card processor.",
    "Its operator has to set STRIPE_SECRET_KEY.",
  ),
  person_required: forbidden(
    "Person required",
    "Only a person saves a card, in a browser.",
    "Send an owner or admin to action_url.",
  ),
  credits_exhausted: forbidden(
    "Credits exhausted",
    "The workspace has too few AI credits.",
    "Buy some at purchase_url.",
  ),
});
