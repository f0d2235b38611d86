import { type Background, write } from "../../events/background.ts";
import type { Writing } from "../../kernel/context.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { CardsAway, type PaymentState } from "../../kernel/ports/card-processor.ts";
import { askAt } from "./asking.sql.ts";
import { isPaidAgain } from "./late.sql.ts";
import { findPurchase, type LockedPurchase, updatePurchase } from "./purchases.sql.ts";
import { tellOfRefund } from "./refund-mail.ts";

/**
 * A charge that turns up after its purchase had failed. Its buyer was told that nothing was charged and may have paid
 * again: then the money goes back. Otherwise the purchase is made good, for the buyer paid and wants the credits.
 */

/**
 * Decides once whether a late charge has to go back. Under the workspace's lock, as a purchase begins: either that
 * purchase is seen here, or it sees that this one is paid.
 */
export async function hasToGoBack(tx: Writing, purchase: LockedPurchase, paymentIntent: string): Promise<boolean> {
  if (purchase.state !== "failed") return false;
  if (purchase.refund_owed_at) return true;
  const { id, workspace_id, locked_at } = purchase;
  await lockWorkspace(tx, workspace_id);
  if (!(await isPaidAgain(tx.tx, purchase))) return false;
  const change = { refund_owed_at: locked_at, payment_intent: paymentIntent };
  await updatePurchase(tx.tx, workspace_id, id, change, tx.now);
  await askAt(tx.tx, purchase, locked_at);
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
  // A bank may send a refund back, days later: the money stays here then, and the credits come.
  if (purchase.refunded_at) return isBack ? "refunded" : null;
  if (!(await hasToGoBack(tx, purchase, payment.paymentIntent))) return null;
  if (!isBack) return "to be refunded";
  const { id, workspace_id, locked_at } = purchase;
  await updatePurchase(tx.tx, workspace_id, id, { refunded_at: locked_at }, tx.now);
  await tellOfRefund(tx, purchase);
  return "refunded";
}

/**
 * Has the processor give the money back, outside any transaction. Whoever dies here leaves a row that says what to ask
 * again, and the processor gives a payment back once. False: it will not do it.
 * @throws CardsAway
 */
export async function refundLate(ctx: Background, workspaceId: string, purchaseId: string): Promise<boolean> {
  const purchase = (await findPurchase(ctx.db, workspaceId, purchaseId))!;
  // The processor keeps its answer under the key, a fault of its own too: after one the version, and so the key, changes.
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
