import { setTimeout as sleep } from "node:timers/promises";
import type { InWorkspace } from "../../kernel/context.ts";
import { readBalances } from "./balances.ts";
import { findPurchase, type Purchase } from "./purchases.sql.ts";
import { receiptHeader } from "./receipts.ts";
import type { PurchaseView } from "./view.ts";

/** What a buyer is answered once the charge is known, or is being made. */
export type Answer = { status: number; headers: Record<string, string>; data: PurchaseView };

const GRANT_PATIENCE_MS = 2_000;

/** Waits a little for the worker's grant, so that a buyer who reads its balance next sees it. */
export async function granted(ctx: Pick<InWorkspace, "db" | "workspace">, purchase: Purchase): Promise<Purchase> {
  let current = purchase;
  let patient = true;
  const timer = setTimeout(() => {
    patient = false;
  }, GRANT_PATIENCE_MS);
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

/** A purchase as the reply that tells of it. */
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

/** Money that is on its way back counts as refunded. */
function paymentStatus({ state, refund_owed_at }: Purchase): PurchaseView["payment_status"] {
  if (state === "succeeded") return "succeeded";
  if (state === "failed") return refund_owed_at ? "refunded" : "failed";
  return "pending";
}
