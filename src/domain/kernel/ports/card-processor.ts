/** The interface of a card processor. Only the adapter knows which processor it is. */

/** `idempotencyKey` is made from the challenge alone, so one challenge is charged at most once, however often it is tried. */
export type Charge = {
  amountCents: number;
  currency: "usd";
  idempotencyKey: string;
  metadata: Record<string, string>;
  description: string;
  /** RFC 3339. Afterwards the charge is not started any more, since others may have given the purchase up. */
  startBefore: string;
} & ({ kind: "token"; token: string } | { kind: "saved_card"; customer: string; paymentMethod: string });

/**
 * Why nothing was charged.
 * `declined`: the card's bank or the processor refused.
 * `action_required`: the card's holder has to authenticate, which a program cannot do for them.
 * `insufficient_token`: the token's limit is below the amount.
 * `invalid_token`: the token or saved card cannot be used: unknown, spent, expired, revoked, detached.
 */
export type DeclineReason = "declined" | "action_required" | "insufficient_token" | "invalid_token";

export type Decline = {
  code: string;
  declineCode: string | null;
  /** Fit for the buyer: it names neither token nor key. */
  message: string;
  reason: DeclineReason;
  /** The same text for the same card, whatever token stands for it; null if the processor names no card. */
  card: string | null;
};

export type ChargeOutcome =
  | { kind: "succeeded"; paymentIntent: string; amountCents: number; currency: string }
  | { kind: "processing"; paymentIntent: string }
  | ({ kind: "declined"; paymentIntent: string | null } & Decline)
  /**
   * It may or may not have charged: time-out, lost connection, 5xx, or a fault of ours that says nothing about the card.
   * `over`: the processor has answered, or was never asked, so that a charge which it does not know soon was not made.
   * Otherwise the charge may still be made within the next minutes.
   */
  | { kind: "unknown"; message: string; over: boolean };

/**
 * A payment as the processor sees it now. Amounts are in cents. `refundedCents` and `disputedCents` are totals, so what
 * the buyer has got back follows from one answer, in whatever order the notices arrive.
 */
export type PaymentState = {
  paymentIntent: string;
  /** `untried`: made, but not charged so far; it may be about to be, or stay so for ever. */
  status: "succeeded" | "processing" | "untried" | "failed" | "requires_action" | "canceled";
  amountCents: number;
  amountReceivedCents: number;
  currency: string;
  metadata: Record<string, string>;
  refundedCents: number;
  /** Withdrawn by disputes that are open or lost; zero again once they are won. */
  disputedCents: number;
  /** The reason why it failed, or needs its holder; null in other states. */
  decline: Decline | null;
};

/** `refused`: the processor will not do it, now or later; a person has to look. */
export type RefundOutcome = { kind: "refunded" } | { kind: "refused"; message: string };

export type SavedCard = {
  customer: string;
  paymentMethod: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  /** When its holder gave it, RFC 3339 with seconds. */
  setUpAt: string;
};

/**
 * A signed message from the processor. Notices repeat and overtake one another, so `paymentIntent` and `setup` name what
 * to ask about; `data` is the object as it was when the notice was made.
 */
export type Notice = {
  id: string;
  type: string;
  /** Unix seconds. */
  created: number;
  paymentIntent: string | null;
  /** A card was saved: to be given to `readSetup`. */
  setup: string | null;
  data: unknown;
};

/** The processor could not be asked, so nothing is known. Asking again later is safe. */
export class CardsAway extends Error {}

export interface CardProcessor {
  /** Never throws for what the processor or the network does. */
  charge(charge: Charge): Promise<ChargeOutcome>;

  /** Null: there is no such payment. @throws CardsAway */
  retrieve(paymentIntent: string): Promise<PaymentState | null>;

  /**
   * The payments made for a purchase (metadata `purchase_id`) that was charged between two RFC 3339 times by our clock;
   * the processor's may be an hour off. Complete as soon as the processor has answered a charge; a charge still under
   * way may be missing. @throws CardsAway
   */
  findByPurchase(purchaseId: string, charged: { since: string; until: string }): Promise<PaymentState[]>;

  /** Ends a payment that was not charged, if it still was not. Answers what it is then. @throws CardsAway */
  cancel(paymentIntent: string): Promise<PaymentState | null>;

  /**
   * Gives back all of a payment that was not given back so far. A payment that is given back already counts as refunded,
   * so that asking twice returns the money once. @throws CardsAway
   */
  refund(paymentIntent: string, options: { idempotencyKey: string; purchaseId: string }): Promise<RefundOutcome>;

  /**
   * Makes one customer, also when called twice at once. `instead` names one that is gone: the new one is another.
   * @throws CardsAway
   */
  createCustomer(input: {
    workspaceId: string;
    email: string | null;
    name: string;
    instead: string | null;
  }): Promise<string>;

  /**
   * Returns a page of the processor where a person saves a card; null if the customer no longer exists, so that a new
   * one must be created.
   */
  createSetupSession(input: {
    customer: string;
    successUrl: string;
    cancelUrl: string;
    metadata: Record<string, string>;
  }): Promise<{ id: string; url: string } | null>;

  /** The card that a finished set-up saved; null before that. The caller checks whose customer it is. @throws CardsAway */
  readSetup(setup: string): Promise<SavedCard | null>;

  /** Null: not signed by the processor within the last 300 seconds. `rawBody` as received, before any parsing. */
  verifyNotice(rawBody: Buffer | string, signatureHeader: string): Notice | null;
}
