/** The interface of a card processor. Only the adapter knows which processor it is. */

/** `idempotencyKey` depends only on the challenge, so each challenge is charged at most once. */
export type Charge = {
  amountCents: number;
  currency: "usd";
  idempotencyKey: string;
  metadata: Record<string, string>;
  description: string;
  /** RFC 3339. The charge must not start later, because the purchase may have been given up. */
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
  /** May be shown to the buyer: it contains neither token nor key. */
  message: string;
  reason: DeclineReason;
  /** Identifies the card, whichever token is used; null if the processor names no card. */
  card: string | null;
};

export type ChargeOutcome =
  | { kind: "succeeded"; paymentIntent: string; amountCents: number; currency: string }
  | { kind: "processing"; paymentIntent: string }
  | ({ kind: "declined"; paymentIntent: string | null } & Decline)
  /**
   * The card may or may not have been charged: time-out, lost connection, 5xx, or an error of ours that says nothing
   * about the card. `over`: the processor has replied or was never called. If it does not know the charge soon, the charge
   * was not made. Without `over`, the charge may still be made within the next minutes.
   */
  | { kind: "unknown"; message: string; over: boolean };

/**
 * A payment as the processor sees it now. Amounts are in cents. `refundedCents` and `disputedCents` are totals, so
 * one reply tells how much the buyer got back, regardless of the order of notices.
 */
export type PaymentState = {
  paymentIntent: string;
  /** `untried`: created but not charged. It may still be charged, or stay like this. */
  status: "succeeded" | "processing" | "untried" | "failed" | "requires_action" | "canceled";
  amountCents: number;
  amountReceivedCents: number;
  currency: string;
  metadata: Record<string, string>;
  refundedCents: number;
  /** Amount withdrawn by open or lost disputes; zero after they are won. */
  disputedCents: number;
  /** Why it failed or needs the cardholder; null in other states. */
  decline: Decline | null;
};

/** `refused`: the processor will never make the refund; an operator has to look at it. */
export type RefundOutcome = { kind: "refunded" } | { kind: "refused"; message: string };

export type SavedCard = {
  customer: string;
  paymentMethod: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  /** When the cardholder saved it, RFC 3339 with seconds. */
  setUpAt: string;
};

/**
 * A signed message from the processor. Notices may repeat and arrive out of order, so `paymentIntent` and `setup` name
 * the object to ask about. `data` is the object at the time of the notice.
 */
export type Notice = {
  id: string;
  type: string;
  /** Unix seconds. */
  created: number;
  paymentIntent: string | null;
  /** The set-up that saved a card, for `readSetup`. */
  setup: string | null;
  data: unknown;
};

/** The processor is unavailable, so the outcome is unknown. The call can be repeated safely. */
export class CardsAway extends Error {}

export interface CardProcessor {
  /** Does not throw for errors of the processor or the network. */
  charge(charge: Charge): Promise<ChargeOutcome>;

  /** Returns null if the payment does not exist. @throws CardsAway */
  retrieve(paymentIntent: string): Promise<PaymentState | null>;

  /**
   * The payments made for a purchase (metadata `purchase_id`) that was charged between two RFC 3339 times by our clock;
   * the processor's may be an hour off. Complete as soon as the processor has answered a charge; a charge still under
   * way may be missing. @throws CardsAway
   */
  findByPurchase(purchaseId: string, charged: { since: string; until: string }): Promise<PaymentState[]>;

  /** Cancels a payment if it is still not charged. Returns its new state. @throws CardsAway */
  cancel(paymentIntent: string): Promise<PaymentState | null>;

  /**
   * Refunds the part of a payment that is not refunded yet. A payment that was refunded already counts as refunded, so
   * calling it twice refunds the money once. @throws CardsAway
   */
  refund(paymentIntent: string, options: { idempotencyKey: string; purchaseId: string }): Promise<RefundOutcome>;

  /**
   * Creates one customer, even if it is called twice at once. `instead` is a customer that no longer exists, which the
   * new one replaces.
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

  /**
   * Returns the card of a finished set-up; null if it is not finished. The caller checks the customer. @throws
   * CardsAway
   */
  readSetup(setup: string): Promise<SavedCard | null>;

  /**
   * Returns null unless the processor signed it within the last 300 seconds. `rawBody` is the body as received,
   * unparsed.
   */
  verifyNotice(rawBody: Buffer | string, signatureHeader: string): Notice | null;
}
