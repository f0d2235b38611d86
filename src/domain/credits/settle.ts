import { type Background, write } from "../background.ts";
import type { Writing } from "../context.ts";
import { record } from "../events.ts";
import { lockAccount, post } from "./account.sql.ts";
import type { ChargeOutcome, PaymentState } from "./cards.ts";
import { endChallenge } from "./challenges.sql.ts";
import { findPurchase, leaveTakenKey, lockPurchase, type Purchase, updatePurchase } from "./purchases.sql.ts";
import { receiptOf } from "./receipt-of.ts";

/**
 * Brings a purchase to what the processor says. Every step is a comparison with what is stored, under the purchase's
 * lock: it may run twice, out of order and at once with itself, from the buyer's call, notices and sweeps.
 */

/** Stores how the buyer's charge ended. Answers the purchase as it is then. */
export function settleCharge(
  ctx: Background,
  workspaceId: string,
  purchaseId: string,
  outcome: ChargeOutcome,
): Promise<Purchase> {
  return write(ctx, workspaceId, async (tx) => {
    const purchase = await held(tx, workspaceId, purchaseId);
    if (outcome.kind === "succeeded" && isPriceOf(tx, outcome, purchase)) {
      await succeed(tx, purchase, outcome.paymentIntent);
    }
    if (outcome.kind === "declined") await fail(tx, purchase, outcome.declineCode ?? outcome.code);
    if (outcome.kind === "processing" && purchase.state === "processing") {
      await updatePurchase(
        tx.tx,
        workspaceId,
        purchaseId,
        { state: "pending", payment_intent: outcome.paymentIntent },
        tx.now,
      );
    }
    return (await findPurchase(tx.db, workspaceId, purchaseId))!;
  });
}

/** A charge of anything but the price counts as unknown: the purchase stays open, and operators hear of it. */
function isPriceOf(
  { log }: Writing,
  { paymentIntent, amountCents, currency }: Extract<ChargeOutcome, { kind: "succeeded" }>,
  purchase: Purchase,
): boolean {
  if (amountCents === purchase.amount_cents && currency === CURRENCY) return true;
  log.error(
    { purchase_id: purchase.id, payment_intent: paymentIntent, amount_cents: amountCents, currency },
    "a card was charged with something else than the price of its purchase; nothing is granted",
  );
  return false;
}

const CURRENCY = "usd";
const MOST_TRIES = 5;

/**
 * Asks the processor about a purchase and settles, grants, and takes back accordingly. An answer counts only while the
 * purchase is as it was when it was asked for: two answers may overtake each other, and the older one must not undo
 * what the newer one did.
 * @throws CardsAway
 */
export async function reconcile(ctx: Background, workspaceId: string, purchaseId: string): Promise<string> {
  for (let attempt = 1; attempt <= MOST_TRIES; attempt++) {
    const purchase = await findPurchase(ctx.db, workspaceId, purchaseId);
    if (!purchase) return "no such purchase";
    const payment = await cancelIfUntried(ctx, purchase, await askFor(ctx, purchase));
    const outcome = await write(ctx, workspaceId, async (tx) => {
      const current = await held(tx, workspaceId, purchaseId);
      return current.version === purchase.version ? apply(tx, current, payment) : null;
    });
    if (outcome !== null) return outcome;
  }
  throw new Error("A purchase changed whenever it was asked about; it is asked about again.");
}

async function apply(tx: Background & Writing, purchase: Purchase, payment: PaymentState | null): Promise<string> {
  const { id, workspace_id } = purchase;
  const paid = purchase.state === "succeeded";
  if (payment === null && !paid) return abandon(tx, purchase);
  if (payment === null || !isFor(payment, purchase)) {
    tx.log.error(
      { purchase_id: id, payment_intent: payment?.paymentIntent ?? purchase.payment_intent },
      "the processor does not know a payment, or it does not fit its purchase; nothing is granted",
    );
    // Somebody was charged: the job fails where operators look, and the sweep goes on asking.
    if (paid && !purchase.granted_at) throw new Error("A purchase that was paid cannot be confirmed.");
    return "mismatch";
  }
  if (payment.status === "failed" || payment.status === "requires_action") {
    await fail(tx, purchase, payment.status);
    return payment.status;
  }
  if (payment.status === "canceled") {
    // Nobody declined it.
    await fail(tx, purchase, null);
    return "canceled";
  }
  if (payment.status === "processing" || payment.status === "untried") return payment.status;
  await succeed(tx, purchase, payment.paymentIntent);
  await grant(tx, workspace_id, id);
  await takeBack(tx, workspace_id, id, payment);
  return "granted";
}

async function askFor(ctx: Background, purchase: Purchase): Promise<PaymentState | null> {
  const { cards } = ctx.ports;
  if (purchase.payment_intent) return cards.retrieve(purchase.payment_intent);
  const payments = await cards.findByPurchase(purchase.id, purchase.created_at);
  return payments.find(({ status }) => status === "succeeded") ?? payments[0] ?? null;
}

/**
 * A payment that the processor made and never tried stays as it is for ever. Once its purchase is old enough to be given
 * up it is cancelled there first, so that nothing can charge it afterwards.
 */
async function cancelIfUntried(ctx: Background, purchase: Purchase, payment: PaymentState | null) {
  if (payment?.status !== "untried" || !isFor(payment, purchase) || !isOverdue(ctx, purchase)) return payment;
  return ctx.ports.cards.cancel(payment.paymentIntent);
}

const isOverdue = ({ now, settings }: Pick<Background, "now" | "settings">, { created_at }: Purchase): boolean =>
  Date.parse(now) - Date.parse(created_at) >= settings.payments.abandonAfterMs;

const isFor = (payment: PaymentState, purchase: Purchase): boolean =>
  payment.metadata.purchase_id === purchase.id &&
  payment.amountCents === purchase.amount_cents &&
  payment.currency === CURRENCY &&
  (payment.status !== "succeeded" || payment.amountReceivedCents === purchase.amount_cents);

async function held(tx: Writing, workspaceId: string, purchaseId: string): Promise<Purchase> {
  const purchase = await lockPurchase(tx.tx, workspaceId, purchaseId);
  if (!purchase) throw new Error("A purchase is gone; purchases are never deleted.");
  return purchase;
}

/** The card was charged. Even one thought failed counts then: the money is what decides. */
async function succeed(tx: Writing, purchase: Purchase, paymentIntent: string): Promise<void> {
  if (purchase.state === "succeeded") return;
  if (purchase.state === "failed") await leaveTakenKey(tx.tx, purchase.workspace_id, purchase.id);
  const settled = { ...purchase, payment_intent: paymentIntent, settled_at: tx.now };
  const receipt = await receiptOf(tx, settled);
  const change = {
    state: "succeeded" as const,
    payment_intent: paymentIntent,
    settled_at: tx.now,
    decline_code: null,
    receipt,
  };
  await updatePurchase(tx.tx, purchase.workspace_id, purchase.id, change, tx.now);
  await endChallenge(tx.tx, purchase.workspace_id, purchase.challenge_id, "consumed");
  record(tx, "payment.succeeded", { workspace_id: purchase.workspace_id, data: { purchase_id: purchase.id } });
}

async function fail(tx: Writing, purchase: Purchase, code: string | null): Promise<void> {
  if (purchase.state === "succeeded" || purchase.state === "failed") return;
  await updatePurchase(tx.tx, purchase.workspace_id, purchase.id, { state: "failed", decline_code: code }, tx.now);
  await endChallenge(tx.tx, purchase.workspace_id, purchase.challenge_id, "failed");
}

/** The process died before it charged: after a while without any trace at the processor nothing will come. */
async function abandon(tx: Writing, purchase: Purchase): Promise<string> {
  if (purchase.state !== "processing") return purchase.state;
  if (!isOverdue(tx, purchase)) return "unknown";
  await fail(tx, purchase, null);
  return "abandoned";
}

/** The one place that grants bought credits. */
async function grant(tx: Writing, workspaceId: string, purchaseId: string): Promise<void> {
  const purchase = await held(tx, workspaceId, purchaseId);
  if (purchase.granted_at) return;
  await lockAccount(tx.tx, workspaceId);
  const { balance } = await post(
    tx.tx,
    workspaceId,
    {
      kind: "purchase",
      bucket: "topup",
      amount: purchase.credits,
      reason: `${purchase.pack} pack`,
      created_by: purchase.user_id,
      purchase_id: purchase.id,
      payment_intent: purchase.payment_intent,
    },
    tx.now,
  );
  await updatePurchase(tx.tx, workspaceId, purchaseId, { granted_at: tx.now }, tx.now);
  record(tx, "credits.purchased", {
    workspace_id: workspaceId,
    data: {
      purchase_id: purchase.id,
      pack: purchase.pack,
      credits: purchase.credits,
      amount_cents: purchase.amount_cents,
      currency: "USD",
      topup_balance: balance,
    },
  });
}

/** Refunds and disputes as lines of their own: the credits' share of the money, up to what the processor's totals say. */
async function takeBack(tx: Writing, workspaceId: string, purchaseId: string, payment: PaymentState): Promise<void> {
  const purchase = await held(tx, workspaceId, purchaseId);
  const share = (cents: number) =>
    Math.min(purchase.credits, Math.round((purchase.credits * cents) / purchase.amount_cents));
  const refunded = share(payment.refundedCents);
  // What was refunded cannot be disputed away a second time.
  const disputed = Math.min(share(payment.disputedCents), purchase.credits - refunded);
  const steps = [
    { reason: "refund", amount: purchase.refunded_credits - refunded },
    { reason: "dispute", amount: purchase.disputed_credits - disputed },
  ].filter(({ amount }) => amount !== 0);
  if (steps.length === 0) return;
  await lockAccount(tx.tx, workspaceId);
  for (const { reason, amount } of steps) {
    await post(
      tx.tx,
      workspaceId,
      { kind: "refund", bucket: "topup", amount, reason, purchase_id: purchase.id },
      tx.now,
    );
  }
  await updatePurchase(
    tx.tx,
    workspaceId,
    purchaseId,
    { refunded_credits: refunded, disputed_credits: disputed },
    tx.now,
  );
}
