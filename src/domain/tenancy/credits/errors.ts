import { defineErrors, forbidden, invalid, payable, unavailable } from "../../kernel/define-errors.ts";

export const creditErrors = defineErrors({
  malformed_credential: invalid(
    "Malformed credential",
    "The Payment credential is malformed; pay the fresh challenge.",
  ),
  method_unsupported: invalid(
    "Method unsupported",
    "The Payment credential is for another payment method than the challenge; nothing was charged.",
  ),
  payment_required: payable("Payment required", "Pay the challenge and send the call again with the credential."),
  challenge_unknown: payable("Unknown challenge", "There is no such challenge for this workspace; pay the fresh one."),
  challenge_expired: payable("Challenge expired", "The challenge is older than ten minutes; pay the fresh one."),
  challenge_consumed: payable(
    "Challenge used",
    "The challenge was paid with another credential; nothing was charged now. Pay the fresh one only to buy more.",
  ),
  challenge_mismatch: payable("Challenge mismatch", "The challenge was made for something else; pay the fresh one."),
  payment_failed: payable("Payment failed", "The card was declined; nothing was charged."),
  payment_insufficient: payable("Payment insufficient", "The token's limit is below the price; nothing was charged."),
  payment_action_required: payable(
    "Action required",
    "The card's holder has to confirm; send a person to action_url, where they do.",
  ),
  no_saved_card: payable(
    "No saved card",
    "The workspace has no saved card; send an owner or admin to action_url, where they save one.",
  ),
  payment_unknown: unavailable(
    "Payment outcome unknown",
    "The card processor has not said how it ended. Do not pay again: send the same call again until it is answered.",
  ),
  payments_off: unavailable(
    "Payments off",
    "This installation has no card processor; its operator has to set STRIPE_SECRET_KEY.",
  ),
  credits_exhausted: forbidden("Credits exhausted", "The workspace has too few AI credits; buy some at purchase_url."),
});
