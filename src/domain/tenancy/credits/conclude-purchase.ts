import { record } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import type { Decline } from "../../kernel/ports/card-processor.ts";
import { lockAccount, post } from "./account.sql.ts";
import { endChallenge } from "./challenges.sql.ts";
import { creditsPurchased, paymentSucceeded } from "./events.ts";
import { setNextCheck } from "./next-check.sql.ts";
import { type LockedPurchase, lockPurchase, type Purchase, releaseReusedKey, updatePurchase } from "./purchases.sql.ts";
import { receiptOf } from "./receipt-of.ts";

/**
 * Stores that a purchase succeeded, failed or was granted. Each function does nothing if it was done before. The caller
 * has locked the purchase.
 */

export async function lockExisting(tx: Writing, workspaceId: string, purchaseId: string): Promise<LockedPurchase> {
  const purchase = await lockPurchase(tx.tx, workspaceId, purchaseId);
  if (!purchase) throw new Error("The purchase does not exist, but purchases are never deleted.");
  return purchase;
}

/** Stores that the card was charged, even if the purchase counted as failed before: the charge decides. */
export async function succeed(tx: Writing, purchase: LockedPurchase, paymentIntent: string): Promise<void> {
  const { id, workspace_id, challenge_id } = purchase;
  if (purchase.state === "succeeded") return;
  if (purchase.state === "failed") await releaseReusedKey(tx.tx, workspace_id, id);
  const settled = { ...purchase, payment_intent: paymentIntent, settled_at: purchase.locked_at };
  const change = {
    state: "succeeded" as const,
    payment_intent: paymentIntent,
    settled_at: purchase.locked_at,
    decline_code: null,
    receipt: await receiptOf(tx, settled),
  };
  await updatePurchase(tx.tx, workspace_id, id, change, tx.now);
  // The job of the event below grants the credits. The check is for a job that was lost.
  await setNextCheck(tx.tx, purchase, addMs(purchase.locked_at, tx.settings.payments.settleAfterMs));
  await endChallenge(tx.tx, workspace_id, challenge_id, "consumed");
  record({ ...tx, workspace: { id: workspace_id } }, paymentSucceeded, { purchase_id: id });
}

/**
 * Stores that a purchase failed.
 * @param decline null if the processor does not know the payment or cancelled it
 */
export async function fail(tx: Writing, purchase: LockedPurchase, decline: Decline | null): Promise<void> {
  if (purchase.state === "succeeded" || purchase.state === "failed") return;
  const { id, workspace_id, challenge_id, payment_type } = purchase;
  const card = payment_type === "shared_payment_token" && decline?.card ? cardHash(tx, decline.card) : null;
  const change = {
    state: "failed" as const,
    decline_code: decline && (decline.declineCode ?? decline.code),
    decline_reason: decline?.reason ?? null,
    decline_message: decline?.message ?? null,
    ...(card ? { card_hash: card } : {}),
  };
  await updatePurchase(tx.tx, workspace_id, id, change, tx.now);
  // If the charge was not declined, it may still be made.
  await setNextCheck(tx.tx, purchase, addMs(purchase.locked_at, FIRST_CHECK_MS));
  await endChallenge(tx.tx, workspace_id, challenge_id, "failed");
}

const FIRST_CHECK_MS = 30_000;

/** Returns the keyed hash by which a card is recognised. */
export const cardHash = ({ ports }: Pick<Writing, "ports">, card: string): Buffer =>
  ports.paymentHash(`card ${card}`)[0];

export const addMs = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString();

/** Grants purchased credits. No other function does. */
export async function grant(tx: Writing, workspaceId: string, purchaseId: string): Promise<void> {
  const purchase = await lockExisting(tx, workspaceId, purchaseId);
  if (purchase.granted_at) return;
  await lockAccount(tx.tx, workspaceId);
  const { balance } = await post(tx.tx, workspaceId, lineOf(purchase), tx.now);
  await updatePurchase(tx.tx, workspaceId, purchaseId, { granted_at: tx.now }, tx.now);
  record({ ...tx, workspace: { id: workspaceId } }, creditsPurchased, {
    purchase_id: purchase.id,
    pack: purchase.pack,
    credits: purchase.credits,
    amount_cents: purchase.amount_cents,
    currency: "USD",
    topup_balance: balance,
  });
}

const lineOf = ({ id, pack, credits, user_id, payment_intent }: Purchase) => ({
  kind: "purchase" as const,
  bucket: "topup" as const,
  amount: credits,
  reason: `${pack} pack`,
  created_by: user_id,
  purchase_id: id,
  payment_intent,
});
