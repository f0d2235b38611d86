import { audit, changesFrom } from "../../events/audit/audit.ts";
import { workspaceOf } from "../../events/mail/recipients.sql.ts";
import { extended, type Writing } from "../../kernel/context.ts";
import type { PaymentState } from "../../kernel/ports/card-processor.ts";
import { lockAccount, post } from "./account.sql.ts";
import { creditsTakenBack } from "./events.ts";
import { notifyWhenLow } from "./low-balance.ts";
import { type Purchase, updatePurchase } from "./purchases.sql.ts";

/**
 * Writes ledger lines for refunds and disputes. The credits taken back are proportional to the money, up to the
 * processor's totals.
 */
export async function applyRefunds(tx: Writing, purchase: Purchase, payment: PaymentState): Promise<void> {
  const { id, workspace_id } = purchase;
  const share = (cents: number) =>
    Math.min(purchase.credits, Math.round((purchase.credits * cents) / purchase.amount_cents));
  const refunded = share(payment.refundedCents);
  // Credits that were refunded cannot be taken back by a dispute again.
  const disputed = Math.min(share(payment.disputedCents), purchase.credits - refunded);
  const steps = [
    { reason: "refund", amount: purchase.refunded_credits - refunded },
    { reason: "dispute", amount: purchase.disputed_credits - disputed },
  ].filter(({ amount }) => amount !== 0);
  if (steps.length === 0) return;
  const account = await lockAccount(tx.tx, workspace_id);
  for (const { reason, amount } of steps) {
    await post(tx.tx, workspace_id, { kind: "refund", bucket: "topup", amount, reason, purchase_id: id }, tx.now);
  }
  const total = steps.reduce((sum, { amount }) => sum + amount, 0);
  await notifyWhenLow(tx, await workspaceOf(tx.db, workspace_id), account, total);
  const change = { refunded_credits: refunded, disputed_credits: disputed };
  await updatePurchase(tx.tx, workspace_id, id, change, tx.now);
  audit(
    extended(tx, { workspace: { id: workspace_id } }),
    creditsTakenBack,
    { id, name: purchase.pack },
    changesFrom(purchase, change),
  );
}
