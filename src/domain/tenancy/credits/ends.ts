import { record } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import type { Decline } from "../../kernel/ports/card-processor.ts";
import { lockAccount, post } from "./account.sql.ts";
import { askAt } from "./asking.sql.ts";
import { endChallenge } from "./challenges.sql.ts";
import { creditsPurchased, paymentSucceeded } from "./events.ts";
import { type LockedPurchase, leaveTakenKey, lockPurchase, type Purchase, updatePurchase } from "./purchases.sql.ts";
import { receiptOf } from "./receipt-of.ts";

/** How a purchase ends: paid, failed, granted. Each step does nothing when it was done before; the caller holds the row. */

export async function lockExisting(tx: Writing, workspaceId: string, purchaseId: string): Promise<LockedPurchase> {
  const purchase = await lockPurchase(tx.tx, workspaceId, purchaseId);
  if (!purchase) throw new Error("A purchase is gone; purchases are never deleted.");
  return purchase;
}

/** The card was charged. Even one thought failed counts then: the money is what decides. */
export async function succeed(tx: Writing, purchase: LockedPurchase, paymentIntent: string): Promise<void> {
  const { id, workspace_id, challenge_id } = purchase;
  if (purchase.state === "succeeded") return;
  if (purchase.state === "failed") await leaveTakenKey(tx.tx, workspace_id, id);
  const settled = { ...purchase, payment_intent: paymentIntent, settled_at: purchase.locked_at };
  const change = {
    state: "succeeded" as const,
    payment_intent: paymentIntent,
    settled_at: purchase.locked_at,
    decline_code: null,
    receipt: await receiptOf(tx, settled),
  };
  await updatePurchase(tx.tx, workspace_id, id, change, tx.now);
  // The worker that hears of it grants the credits; the sweep comes after it.
  await askAt(tx.tx, purchase, later(purchase.locked_at, tx.settings.payments.settleAfterMs));
  await endChallenge(tx.tx, workspace_id, challenge_id, "consumed");
  record({ ...tx, workspace: { id: workspace_id } }, paymentSucceeded, { purchase_id: id });
}

/** Why a purchase failed. Null: nobody declined it; the processor does not know of it, or cancelled it. */
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
  // Without a decline its charge may still turn up.
  await askAt(tx.tx, purchase, later(purchase.locked_at, FIRST_LOOK_MS));
  await endChallenge(tx.tx, workspace_id, challenge_id, "failed");
}

const FIRST_LOOK_MS = 30_000;

/** What is stored of a card, to tell the same one again. */
export const cardHash = ({ ports }: Pick<Writing, "ports">, card: string): Buffer =>
  ports.paymentHash(`card ${card}`)[0];

export const later = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString();

/** The one place that grants bought credits. */
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
