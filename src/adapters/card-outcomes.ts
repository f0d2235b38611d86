import Stripe from "stripe";
import type {
  Charge,
  ChargeOutcome,
  Decline,
  DeclineReason,
  PaymentState,
} from "../domain/kernel/ports/card-processor.ts";

/** Converts Stripe's replies and errors to the domain's outcomes. */

type Declined = Extract<ChargeOutcome, { kind: "declined" }>;

export function outcomeOfIntent(intent: Stripe.PaymentIntent): ChargeOutcome {
  const { id: paymentIntent, status } = intent;
  if (status === "succeeded") {
    return { kind: "succeeded", paymentIntent, amountCents: intent.amount_received, currency: intent.currency };
  }
  if (status === "processing") return { kind: "processing", paymentIntent };
  if (status === "canceled") return declined("canceled", "The payment was canceled.", { paymentIntent });
  const decline = declineOf(intent);
  if (decline) return { ...decline, kind: "declined", paymentIntent };
  return { kind: "unknown", message: `The payment ${paymentIntent} has the status ${status}.`, over: true };
}

/** Why a payment failed, or why it waits for its holder. */
function declineOf({ status, last_payment_error: failure }: Stripe.PaymentIntent): Decline | null {
  if (status === "requires_action") return AUTHENTICATE;
  return status === "requires_payment_method" && failure ? declineByBank(failure) : null;
}

/**
 * Only Stripe's statements about the card or token itself count as a decline. Any other error may have happened after
 * the charge.
 */
export function outcomeOfError(error: unknown, { kind }: Pick<Charge, "kind">): ChargeOutcome {
  if (error instanceof Stripe.errors.StripeCardError) {
    return { ...declineByBank(error), kind: "declined", paymentIntent: error.payment_intent?.id ?? null };
  }
  if (error instanceof Stripe.errors.StripeInvalidRequestError) {
    const reason = reasonOf(error);
    if (reason) return declined(error.code ?? reason, SENTENCES[reason][kind], { reason });
  }
  return { kind: "unknown", message: describe(error), over: isAnswer(error) };
}

/**
 * Whether Stripe itself replied and finished the call. 409: another call with the same key is in progress. 502 to 504
 * may come from a gateway.
 */
function isAnswer(error: unknown): boolean {
  const { statusCode } = error as Partial<Stripe.errors.StripeError>;
  return statusCode !== undefined && ![409, 502, 503, 504].includes(statusCode);
}

/** A log message without tokens. */
export function describe(error: unknown): string {
  const { type, code, statusCode, message } = error as Partial<Stripe.errors.StripeError>;
  const detail = [type, statusCode, code].filter(Boolean).join(" ");
  return `${message ?? String(error)}${detail ? ` (${detail})` : ""}`.replace(/\b(spt|sk|rk)_\w+/g, "$1_…");
}

/** @param disputedCents not part of the payment; the caller reads it separately */
export function stateOf(intent: Stripe.PaymentIntent, disputedCents: number): PaymentState {
  return {
    paymentIntent: intent.id,
    status: statusOf(intent),
    amountCents: intent.amount,
    amountReceivedCents: intent.amount_received,
    currency: intent.currency,
    metadata: intent.metadata,
    refundedCents: chargeOf(intent)?.amount_refunded ?? 0,
    disputedCents,
    decline: declineOf(intent),
  };
}

/** The charge, if the call asked Stripe to expand it. */
export const chargeOf = ({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | null =>
  typeof charge === "object" ? charge : null;

/**
 * Whether a dispute withdraws money. Inquiries (`warning_…`) and prevented disputes do not, and a won dispute is paid
 * back.
 */
export const isWithdrawn = ({ status }: Stripe.Dispute): boolean =>
  status !== "won" && status !== "prevented" && !status.startsWith("warning_");

const SAME = ["succeeded", "canceled", "requires_action"] as const;
/** Without an error: a payment between creation and confirmation. This service never captures later. */
const UNTRIED = ["requires_payment_method", "requires_confirmation", "requires_capture"];

function statusOf({ status, last_payment_error }: Stripe.PaymentIntent): PaymentState["status"] {
  if (status === "requires_payment_method" && last_payment_error) return "failed";
  if (UNTRIED.includes(status)) return "untried";
  return SAME.find((known) => known === status) ?? "processing";
}

const SENTENCES: Record<"insufficient_token" | "invalid_token", Record<Charge["kind"], string>> = {
  insufficient_token: {
    token: "The payment token's limit is below the amount.",
    saved_card: "The saved card's limit is below the amount.",
  },
  invalid_token: {
    token: "The payment token is unknown, spent, expired or revoked.",
    saved_card: "The saved card can no longer be used.",
  },
};

const declineWith = (code: string, message: string, more: Partial<Decline> = {}): Decline => ({
  code,
  declineCode: null,
  message,
  reason: "declined",
  card: null,
  ...more,
});

const declined = (
  code: string,
  message: string,
  { paymentIntent = null, ...more }: Partial<Declined> = {},
): Declined => ({ ...declineWith(code, message, more), kind: "declined", paymentIntent });

const AUTHENTICATE = declineWith("authentication_required", "The card's holder has to authenticate this payment.", {
  reason: "action_required",
});

type Refused = {
  code?: string;
  decline_code?: string;
  message?: string;
  payment_method?: { card?: Partial<Stripe.PaymentMethod.Card> | null } | null;
};

function declineByBank({ code, decline_code, message, payment_method }: Refused): Decline {
  const authentication = code === "authentication_required" || decline_code === "authentication_required";
  const reason: DeclineReason = authentication ? "action_required" : "declined";
  return declineWith(code ?? "card_declined", message || "The card was declined.", {
    declineCode: decline_code || null,
    reason,
    card: cardOf(payment_method?.card),
  });
}

/**
 * A key for the card. Stripe gives a card the same fingerprint in all its tokens. Without one, the printed data is a
 * good approximation.
 */
function cardOf(card: Partial<Stripe.PaymentMethod.Card> | null | undefined): string | null {
  if (card?.fingerprint) return card.fingerprint;
  return card?.last4 ? [card.brand, card.last4, card.exp_month, card.exp_year].join(" ") : null;
}

/**
 * Null if the error says nothing clear about the token or card: reporting a decline would make the buyer's program
 * try again with another one. Stripe rejects tokens without code and parameter, so the message's wording is matched.
 */
function reasonOf({ code, param, message }: Stripe.errors.StripeInvalidRequestError) {
  if (!code && /amount is greater than|max_amount/.test(message)) return "insufficient_token";
  const missing = code === "resource_missing" && /^(payment_method|shared_payment|customer)/.test(param ?? "");
  const refused = !code && MEANS.test(message) && UNUSABLE.test(message);
  return missing || refused ? "invalid_token" : null;
}

const MEANS = /shared payment granted token|PaymentMethod|payment method/i;
const UNUSABLE = /cannot be used|may not be used|does not match|does not belong|no such/i;
