import { workspaceOf } from "../../events/mail/recipients.sql.ts";
import type { Writing } from "../../kernel/context.ts";
import type { PackName } from "./packs.ts";
import type { Purchase } from "./purchases.sql.ts";
import type { Receipt, SignedReceipt } from "./receipts.ts";

/** Returns the signed receipt of a paid purchase. It is a flat object of strings and integers. */
export async function receiptOf(ctx: Writing, purchase: Purchase): Promise<SignedReceipt> {
  const receipt: Receipt = {
    amount: String(purchase.amount_cents),
    challengeId: purchase.challenge_id,
    credits: purchase.credits,
    currency: "usd",
    intent: "charge",
    issuer: ctx.settings.baseUrl,
    method: ctx.settings.payments.method,
    pack: purchase.pack as PackName,
    paymentType: purchase.payment_type,
    purchaseId: purchase.id,
    reference: purchase.payment_intent!,
    status: "success",
    timestamp: purchase.settled_at!,
    workspace: (await workspaceOf(ctx.db, purchase.workspace_id)).slug,
  };
  return ctx.ports.receipts.sign(receipt);
}
