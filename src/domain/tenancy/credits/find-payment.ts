import type { Background } from "../../events/background.ts";
import type { PaymentState } from "../../kernel/ports/card-processor.ts";
import type { Purchase } from "./purchases.sql.ts";

/** Finds the payment of a purchase at the card processor. */

/**
 * Returns the current payment of a purchase; null if the processor has none.
 * @param hint a payment that a notice named
 * @throws CardsAway
 */
export async function findPayment(
  ctx: Background,
  purchase: Purchase,
  hint: string | null,
): Promise<PaymentState | null> {
  return cancelIfUntried(ctx, purchase, (await named(ctx, purchase, hint)) ?? (await searched(ctx, purchase)));
}

/**
 * Finds the payment by its id, which does not depend on clocks. A payment of the right amount is preferred to one that
 * only names the purchase.
 */
async function named(
  { ports: { cards } }: Background,
  purchase: Purchase,
  hint: string | null,
): Promise<PaymentState | null> {
  const { payment_intent, noticed_payment } = purchase;
  if (purchase.state === "succeeded") return cards.retrieve(payment_intent!);
  let misfit: PaymentState | null = null;
  for (const id of new Set([payment_intent, hint, noticed_payment])) {
    const payment = id === null ? null : await cards.retrieve(id);
    if (payment && isFor(payment, purchase)) return payment;
    if (payment && (id === payment_intent || payment.metadata.purchase_id === purchase.id)) misfit ??= payment;
  }
  return misfit;
}

async function searched({ ports: { cards }, settings }: Background, purchase: Purchase): Promise<PaymentState | null> {
  if (purchase.state === "succeeded") return null;
  const since = purchase.created_at;
  const until = new Date(Date.parse(since) + settings.payments.abandonAfterMs).toISOString();
  const payments = await cards.findByPurchase(purchase.id, { since, until });
  return payments.find(({ status }) => status === "succeeded") ?? payments[0] ?? null;
}

/**
 * Cancels a payment that the processor created but never tried, once its purchase is old enough to be given up.
 * Otherwise the payment would stay open, and could still be charged later.
 */
async function cancelIfUntried(ctx: Background, purchase: Purchase, payment: PaymentState | null) {
  if (payment?.status !== "untried" || !isFor(payment, purchase) || !isOverdue(ctx, purchase)) return payment;
  return ctx.ports.cards.cancel(payment.paymentIntent);
}

export const isOverdue = (
  { now, settings }: Pick<Background, "now" | "settings">,
  { created_at, give_up_at }: Purchase,
): boolean =>
  Date.parse(now) >= (give_up_at ? Date.parse(give_up_at) : Date.parse(created_at) + settings.payments.abandonAfterMs);

/** Whether a payment belongs to the purchase and has its price. */
export const isFor = (payment: PaymentState, purchase: Purchase): boolean =>
  payment.metadata.purchase_id === purchase.id &&
  payment.amountCents === purchase.amount_cents &&
  payment.currency === CURRENCY &&
  (payment.status !== "succeeded" || payment.amountReceivedCents === purchase.amount_cents);

export const CURRENCY = "usd";
