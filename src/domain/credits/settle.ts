import { type Background, write } from "../background.ts";
import type { Writing } from "../context.ts";
import { record } from "../events.ts";
import { lockAccount, post } from "./account.sql.ts";
import type { ChargeOutcome, PaymentState } from "./cards.ts";
import { endChallenge } from "./challenges.sql.ts";
import { CURRENCY, findPayment, isFor, isOverdue } from "./find-payment.ts";
import { heedNotices } from "./notices.sql.ts";
import {
  findPurchase,
  type Held,
  leaveTakenKey,
  lockPurchase,
  type Purchase,
  updatePurchase,
} from "./purchases.sql.ts";
import { receiptOf } from "./receipt-of.ts";
import { takeBack } from "./take-back.ts";

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
    if (outcome.kind === "succeeded") {
      if (isPriceOf(tx, outcome, purchase)) await succeed(tx, purchase, outcome.paymentIntent);
      else await remember(tx, purchase, outcome.paymentIntent);
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

/** A payment that does not fit is asked for by its id from now on, and its purchase is never given up. */
async function remember(
  tx: Writing,
  { id, workspace_id, ...purchase }: Purchase,
  paymentIntent: string,
): Promise<void> {
  if (purchase.payment_intent) return;
  await updatePurchase(tx.tx, workspace_id, id, { payment_intent: paymentIntent }, tx.now);
}

const MOST_TRIES = 5;
/** What becomes of the purchase is still open, so that its notices go on counting. */
const OPEN = ["unknown", "processing", "pending", "untried"];

/**
 * Asks the processor about a purchase and settles, grants, and takes back accordingly. An answer counts only while the
 * purchase is as it was when it was asked for: two answers may overtake each other, and the older one must not undo
 * what the newer one did.
 * @param hint a payment that a notice named
 * @throws CardsAway
 */
export async function reconcile(
  ctx: Background,
  workspaceId: string,
  purchaseId: string,
  hint: string | null = null,
): Promise<string> {
  for (let attempt = 1; attempt <= MOST_TRIES; attempt++) {
    const purchase = await findPurchase(ctx.db, workspaceId, purchaseId);
    if (!purchase) return "no such purchase";
    const payment = await findPayment(ctx, purchase, hint);
    const outcome = await write(ctx, workspaceId, async (tx) => {
      const current = await held(tx, workspaceId, purchaseId);
      if (current.version !== purchase.version) return null;
      const outcome = await apply(tx, current, payment);
      // Only those that had come before the processor was asked.
      if (purchase.notices > purchase.notices_heeded && !OPEN.includes(outcome)) await heedNotices(tx.tx, purchase);
      return outcome;
    });
    if (outcome !== null) return outcome;
  }
  throw new Error("A purchase changed whenever it was asked about; it is asked about again.");
}

async function apply(tx: Background & Writing, purchase: Held, payment: PaymentState | null): Promise<string> {
  const { id, workspace_id } = purchase;
  const paid = purchase.state === "succeeded";
  if (payment === null && !paid) return abandon(tx, purchase);
  if (payment === null || !isFor(payment, purchase)) {
    tx.log.error(
      { purchase_id: id, payment_intent: payment?.paymentIntent ?? purchase.payment_intent },
      "the processor does not know a payment, or it does not fit its purchase; nothing is granted",
    );
    if (payment) await remember(tx, purchase, payment.paymentIntent);
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
  await takeBack(tx, await held(tx, workspace_id, id), payment);
  return "granted";
}

async function held(tx: Writing, workspaceId: string, purchaseId: string): Promise<Held> {
  const purchase = await lockPurchase(tx.tx, workspaceId, purchaseId);
  if (!purchase) throw new Error("A purchase is gone; purchases are never deleted.");
  return purchase;
}

/** The card was charged. Even one thought failed counts then: the money is what decides. */
async function succeed(tx: Writing, purchase: Held, paymentIntent: string): Promise<void> {
  if (purchase.state === "succeeded") return;
  if (purchase.state === "failed") await leaveTakenKey(tx.tx, purchase.workspace_id, purchase.id);
  const settled = { ...purchase, payment_intent: paymentIntent, settled_at: purchase.held_at };
  const receipt = await receiptOf(tx, settled);
  const change = {
    state: "succeeded" as const,
    payment_intent: paymentIntent,
    settled_at: purchase.held_at,
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
  if (purchase.payment_intent || !isOverdue(tx, purchase)) return "unknown";
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
