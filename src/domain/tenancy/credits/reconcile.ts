import { type Background, write } from "../../events/background.ts";
import type { Writing } from "../../kernel/context.ts";
import type { ChargeOutcome, PaymentState } from "../../kernel/ports/card-processor.ts";
import { applyRefunds } from "./apply-refunds.ts";
import { addMs, fail, grant, lockExisting, succeed } from "./conclude-purchase.ts";
import { CURRENCY, findPayment, isFor, isOverdue } from "./find-payment.ts";
import { bringGiveUpForward, setNextCheck } from "./next-check.sql.ts";
import { markNoticesHandled } from "./notices.sql.ts";
import { findPurchase, type LockedPurchase, type Purchase, updatePurchase } from "./purchases.sql.ts";
import { applyLateCharge, mustRefund, refundLate } from "./refund-late-charge.ts";

/**
 * Updates purchases to match the card processor. Each step locks the purchase and compares it with the processor's
 * state. So the buyer's call, notices and sweeps may run it repeatedly, out of order and at the same time.
 */

/** Stores the outcome of a buyer's charge. Returns the updated purchase. */
export function applyChargeOutcome(
  ctx: Background,
  workspaceId: string,
  purchaseId: string,
  outcome: ChargeOutcome,
): Promise<Purchase> {
  return write(ctx, workspaceId, async (tx) => {
    await store(tx, await lockExisting(tx, workspaceId, purchaseId), outcome);
    return (await findPurchase(tx.db, workspaceId, purchaseId))!;
  });
}

async function store(tx: Writing, purchase: LockedPurchase, outcome: ChargeOutcome): Promise<void> {
  if (outcome.kind === "declined") return fail(tx, purchase, outcome);
  if (outcome.kind === "unknown") return checkSoon(tx, purchase, outcome.over);
  const { paymentIntent } = outcome;
  if (outcome.kind === "succeeded") {
    if (!isPriceOf(tx, outcome, purchase)) return rememberPayment(tx, purchase, paymentIntent);
    if (await mustRefund(tx, purchase, paymentIntent)) return;
    return succeed(tx, purchase, paymentIntent);
  }
  if (purchase.state !== "processing") return;
  const change = { state: "pending" as const, payment_intent: paymentIntent };
  await updatePurchase(tx.tx, purchase.workspace_id, purchase.id, change, tx.now);
}

/** Schedules a check for now. Further checks follow until the outcome is known. */
async function checkSoon(tx: Writing, purchase: LockedPurchase, over: boolean): Promise<void> {
  if (purchase.state !== "processing") return;
  await setNextCheck(tx.tx, purchase, purchase.locked_at);
  if (over) await bringGiveUpForward(tx.tx, purchase, addMs(purchase.locked_at, tx.settings.payments.settleAfterMs));
}

/**
 * Whether the charge has the purchase's price. Any other charge counts as unknown: the purchase stays open, and an
 * error is logged for operators.
 */
function isPriceOf(
  { log }: Writing,
  { paymentIntent, amountCents, currency }: Extract<ChargeOutcome, { kind: "succeeded" }>,
  purchase: Purchase,
): boolean {
  if (amountCents === purchase.amount_cents && currency === CURRENCY) return true;
  log.error(
    { purchase_id: purchase.id, payment_intent: paymentIntent, amount_cents: amountCents, currency },
    "a card was charged an amount other than the price of its purchase; nothing is granted",
  );
  return false;
}

/**
 * Stores the id of a payment that does not match. It is then checked by that id, and the purchase is never given up.
 */
async function rememberPayment(
  tx: Writing,
  { id, workspace_id, ...purchase }: Purchase,
  paymentIntent: string,
): Promise<void> {
  if (purchase.payment_intent) return;
  await updatePurchase(tx.tx, workspace_id, id, { payment_intent: paymentIntent }, tx.now);
}

const MAX_ATTEMPTS = 5;
/** Outcomes after which the purchase is still open, so that its notices are not yet handled. */
const OPEN = ["unknown", "processing", "pending", "untried", "to be refunded"];

/**
 * Checks a purchase at the processor, and stores its outcome, grants its credits and applies refunds accordingly. The
 * reply is applied only if the purchase's version has not changed since the request: replies can overtake each other,
 * and an older one must not undo the effects of a newer one. Returns the outcome as text for logs.
 * @param hint a payment that a notice named
 * @throws CardsAway
 */
export async function reconcile(
  ctx: Background,
  workspaceId: string,
  purchaseId: string,
  hint: string | null = null,
): Promise<string> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const purchase = await findPurchase(ctx.db, workspaceId, purchaseId);
    if (!purchase) return "no such purchase";
    const payment = await findPayment(ctx, purchase, hint);
    const outcome = await write(ctx, workspaceId, async (tx) => {
      const current = await lockExisting(tx, workspaceId, purchaseId);
      if (current.version !== purchase.version) return null;
      const outcome = await apply(tx, current, payment);
      // Only the notices that arrived before the request to the processor.
      if (purchase.notices > purchase.notices_heeded && !OPEN.includes(outcome))
        await markNoticesHandled(tx.tx, purchase);
      return outcome;
    });
    if (outcome !== null && outcome !== "to be refunded") return outcome;
    // The next round asks the processor whether the refund was made.
    if (outcome !== null && !(await refundLate(ctx, workspaceId, purchaseId))) return outcome;
  }
  // The purchase's row says when it is checked again.
  return "changed meanwhile";
}

async function apply(
  tx: Background & Writing,
  purchase: LockedPurchase,
  payment: PaymentState | null,
): Promise<string> {
  const { id, workspace_id } = purchase;
  const paid = purchase.state === "succeeded";
  if (payment === null && !paid) return abandon(tx, purchase);
  if (payment === null || !isFor(payment, purchase)) {
    tx.log.error(
      { purchase_id: id, payment_intent: payment?.paymentIntent ?? purchase.payment_intent },
      "the processor does not know a payment, or it does not fit its purchase; nothing is granted",
    );
    if (payment) await rememberPayment(tx, purchase, payment.paymentIntent);
    // A buyer was charged. The job fails, so that operators see it, and the sweep continues to check the purchase.
    if (paid && !purchase.granted_at) throw new Error("A purchase that was paid cannot be confirmed.");
    return "mismatch";
  }
  if (payment.status === "failed" || payment.status === "requires_action") {
    await fail(tx, purchase, payment.decline);
    return payment.status;
  }
  if (payment.status === "canceled") {
    // A cancelled payment was not declined.
    await fail(tx, purchase, null);
    return "canceled";
  }
  if (payment.status === "processing" || payment.status === "untried") return payment.status;
  const late = await applyLateCharge(tx, purchase, payment);
  if (late) return late;
  await succeed(tx, purchase, payment.paymentIntent);
  await grant(tx, workspace_id, id);
  await applyRefunds(tx, await lockExisting(tx, workspace_id, id), payment);
  return "granted";
}

/**
 * Gives up a purchase that was never charged, because the process died before the charge or the processor did nothing.
 */
async function abandon(tx: Writing, purchase: LockedPurchase): Promise<string> {
  if (purchase.state !== "processing") return purchase.state;
  if (purchase.payment_intent || !isOverdue(tx, purchase)) return "unknown";
  await fail(tx, purchase, null);
  return "abandoned";
}
