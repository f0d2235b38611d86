import { type Background, write } from "../../events/background.ts";
import type { Writing } from "../../kernel/context.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { CardsAway, type PaymentState } from "../../kernel/ports/card-processor.ts";
import { setNextCheck } from "./next-check.sql.ts";
import { findPurchase, type LockedPurchase, updatePurchase } from "./purchases.sql.ts";
import { isPaidAgain } from "./refund-late-charge.sql.ts";
import { notifyOfRefund } from "./refund-mail.ts";

/**
 * Handles charges that are made after their purchase failed. The buyer was told that nothing was charged and may have
 * paid again. In that case the charge is refunded. Otherwise the purchase succeeds after all, because the buyer has
 * paid for the credits.
 */

/**
 * Decides once whether a late charge has to be refunded. It locks the workspace, as each new purchase does. So either
 * this function sees the new purchase, or the new purchase sees that this one is paid.
 */
export async function mustRefund(tx: Writing, purchase: LockedPurchase, paymentIntent: string): Promise<boolean> {
  if (purchase.state !== "failed") return false;
  if (purchase.refund_owed_at) return true;
  const { id, workspace_id, locked_at } = purchase;
  await lockWorkspace(tx, workspace_id);
  if (!(await isPaidAgain(tx.tx, purchase))) return false;
  const change = { refund_owed_at: locked_at, payment_intent: paymentIntent };
  await updatePurchase(tx.tx, workspace_id, id, change, tx.now);
  await setNextCheck(tx.tx, purchase, locked_at);
  return true;
}

/** Decides about a payment for a purchase that has failed. Returns null if it is handled like any other payment. */
export async function applyLateCharge(
  tx: Writing,
  purchase: LockedPurchase,
  payment: PaymentState,
): Promise<"to be refunded" | "refunded" | null> {
  const { refundedCents, disputedCents, amountReceivedCents } = payment;
  const isBack = refundedCents + disputedCents >= amountReceivedCents;
  // A bank may return a refund days later. The seller then keeps the money, and the credits are granted.
  if (purchase.refunded_at) return isBack ? "refunded" : null;
  if (!(await mustRefund(tx, purchase, payment.paymentIntent))) return null;
  if (!isBack) return "to be refunded";
  const { id, workspace_id, locked_at } = purchase;
  await updatePurchase(tx.tx, workspace_id, id, { refunded_at: locked_at }, tx.now);
  await notifyOfRefund(tx, purchase);
  return "refunded";
}

/**
 * Refunds a late charge at the processor, outside any transaction. If the process dies, the purchase's row says that
 * the refund is owed, and the processor refunds a payment only once. Returns false if the processor refuses.
 * @throws CardsAway
 */
export async function refundLate(ctx: Background, workspaceId: string, purchaseId: string): Promise<boolean> {
  const purchase = (await findPurchase(ctx.db, workspaceId, purchaseId))!;
  // The processor stores its reply under the key, even an error of its own. After an error, the new version gives a new
  // key.
  const idempotencyKey = `refund_${purchaseId}_${purchase.version}`;
  try {
    const outcome = await ctx.ports.cards.refund(purchase.payment_intent!, { idempotencyKey, purchaseId });
    if (outcome.kind === "refunded") return true;
    const fields = { purchase_id: purchaseId, payment_intent: purchase.payment_intent, reason: outcome.message };
    ctx.log.error(fields, "the processor refuses to refund a late charge; refund it in its dashboard");
    return false;
  } catch (error) {
    if (!(error instanceof CardsAway)) throw error;
    await write(ctx, workspaceId, (tx) => updatePurchase(tx.tx, workspaceId, purchaseId, {}, tx.now));
    throw error;
  }
}
