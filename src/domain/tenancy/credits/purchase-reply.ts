import { setTimeout as sleep } from "node:timers/promises";
import type { InWorkspace } from "../../kernel/context.ts";
import { readBalances } from "./balances.ts";
import { findPurchase, type Purchase } from "./purchases.sql.ts";
import { receiptHeader } from "./receipts.ts";
import type { PurchaseView } from "./view.ts";

/** The reply to a buyer whose charge succeeded or is being made. */
export type Answer = { status: number; headers: Record<string, string>; data: PurchaseView };

const MAX_GRANT_WAIT_MS = 2_000;

/**
 * Waits up to MAX_GRANT_WAIT_MS until a worker has granted the credits, so that a buyer who reads the balance next sees
 * them. Returns the purchase as it is then.
 */
export async function waitForGrant(ctx: Pick<InWorkspace, "db" | "workspace">, purchase: Purchase): Promise<Purchase> {
  let current = purchase;
  let patient = true;
  const timer = setTimeout(() => {
    patient = false;
  }, MAX_GRANT_WAIT_MS);
  try {
    for (
      let wait = 2;
      !current.granted_at && current.state === "succeeded" && patient;
      wait = Math.min(wait * 1.5, 50)
    ) {
      await sleep(wait);
      current = (await findPurchase(ctx.db, ctx.workspace.id, purchase.id)) ?? current;
    }
  } finally {
    clearTimeout(timer);
  }
  return current;
}

/** Returns the reply that describes a purchase: 202 while the charge is pending, 200 otherwise. */
export async function answer(
  ctx: Pick<InWorkspace, "db" | "now" | "settings" | "workspace">,
  purchase: Purchase,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { remaining, topup_balance } = await readBalances(ctx, ctx.workspace);
  const paid = purchase.state === "succeeded";
  const receipt: Record<string, string> =
    paid && purchase.receipt ? { "Payment-Receipt": receiptHeader(purchase.receipt) } : {};
  return {
    status: purchase.state === "pending" || purchase.state === "processing" ? 202 : 200,
    headers: { ...headers, ...receipt, "Cache-Control": "private, no-store" },
    data: {
      id: purchase.id,
      purchase_id: purchase.id,
      challenge_id: purchase.challenge_id,
      pack: purchase.pack,
      credits: purchase.credits,
      amount: String(purchase.amount_cents),
      currency: "USD",
      payment_status: paymentStatus(purchase),
      credits_status: purchase.granted_at ? "granted" : purchase.state === "failed" ? "none" : "pending",
      ai_credits: { remaining, topup_balance },
      balance: remaining + topup_balance,
      refunded_credits: purchase.refunded_credits + purchase.disputed_credits,
      receipt: purchase.receipt,
      created_at: purchase.created_at,
    },
  };
}

/** A refund that is owed or under way counts as refunded. */
function paymentStatus({ state, refund_owed_at }: Purchase): PurchaseView["payment_status"] {
  if (state === "succeeded") return "succeeded";
  if (state === "failed") return refund_owed_at ? "refunded" : "failed";
  return "pending";
}
