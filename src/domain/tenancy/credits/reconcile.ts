import { type Background, write } from "../../events/background.ts";
import type { Writing } from "../../kernel/context.ts";
import type { ChargeOutcome, PaymentState } from "../../kernel/ports/card-processor.ts";
import { askAt, giveUpFrom } from "./asking.sql.ts";
import { fail, grant, later, lockExisting, succeed } from "./ends.ts";
import { CURRENCY, findPayment, isFor, isOverdue } from "./find-payment.ts";
import { applyLateCharge, hasToGoBack, refundLate } from "./late.ts";
import { heedNotices } from "./notices.sql.ts";
import { findPurchase, type LockedPurchase, type Purchase, updatePurchase } from "./purchases.sql.ts";
import { takeBack } from "./take-back.ts";

/**
 * Brings a purchase to what the processor says. Every step is a comparison with what is stored, under the purchase's
 * lock: it may run twice, out of order and at once with itself, from the buyer's call, notices and sweeps.
 */

/** Stores how the buyer's charge ended. Answers the purchase as it is then. */
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
  if (outcome.kind === "unknown") return askSoon(tx, purchase, outcome.over);
  const { paymentIntent } = outcome;
  if (outcome.kind === "succeeded") {
    if (!isPriceOf(tx, outcome, purchase)) return remember(tx, purchase, paymentIntent);
    if (await hasToGoBack(tx, purchase, paymentIntent)) return;
    return succeed(tx, purchase, paymentIntent);
  }
  if (purchase.state !== "processing") return;
  const change = { state: "pending" as const, payment_intent: paymentIntent };
  await updatePurchase(tx.tx, purchase.workspace_id, purchase.id, change, tx.now);
}

/** The processor is asked at once, and then again and again. */
async function askSoon(tx: Writing, purchase: LockedPurchase, over: boolean): Promise<void> {
  if (purchase.state !== "processing") return;
  await askAt(tx.tx, purchase, purchase.locked_at);
  if (over) await giveUpFrom(tx.tx, purchase, later(purchase.locked_at, tx.settings.payments.settleAfterMs));
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
const OPEN = ["unknown", "processing", "pending", "untried", "to be refunded"];

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
      const current = await lockExisting(tx, workspaceId, purchaseId);
      if (current.version !== purchase.version) return null;
      const outcome = await apply(tx, current, payment);
      // Only those that had come before the processor was asked.
      if (purchase.notices > purchase.notices_heeded && !OPEN.includes(outcome)) await heedNotices(tx.tx, purchase);
      return outcome;
    });
    if (outcome !== null && outcome !== "to be refunded") return outcome;
    // Whether it went back is for the processor to say, too.
    if (outcome !== null && !(await refundLate(ctx, workspaceId, purchaseId))) return outcome;
  }
  // It is asked about again, since its row says that it is due.
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
    if (payment) await remember(tx, purchase, payment.paymentIntent);
    // Somebody was charged: the job fails where operators look, and the sweep goes on asking.
    if (paid && !purchase.granted_at) throw new Error("A purchase that was paid cannot be confirmed.");
    return "mismatch";
  }
  if (payment.status === "failed" || payment.status === "requires_action") {
    await fail(tx, purchase, payment.decline);
    return payment.status;
  }
  if (payment.status === "canceled") {
    // Nobody declined it.
    await fail(tx, purchase, null);
    return "canceled";
  }
  if (payment.status === "processing" || payment.status === "untried") return payment.status;
  const late = await applyLateCharge(tx, purchase, payment);
  if (late) return late;
  await succeed(tx, purchase, payment.paymentIntent);
  await grant(tx, workspace_id, id);
  await takeBack(tx, await lockExisting(tx, workspace_id, id), payment);
  return "granted";
}

/** Nothing came of it: the process died before it charged, or the processor did nothing. */
async function abandon(tx: Writing, purchase: LockedPurchase): Promise<string> {
  if (purchase.state !== "processing") return purchase.state;
  if (purchase.payment_intent || !isOverdue(tx, purchase)) return "unknown";
  await fail(tx, purchase, null);
  return "abandoned";
}
