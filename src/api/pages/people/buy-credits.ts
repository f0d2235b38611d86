import type { Refusal } from "../../../domain/kernel/errors.ts";
import { html } from "../../../domain/kernel/html.ts";
import { creditErrors } from "../../../domain/tenancy/credits/errors.ts";
import { readSavedCard } from "../../../domain/tenancy/credits/saved-card.sql.ts";
import type { PurchaseView } from "../../../domain/tenancy/credits/view.ts";
import { instant, notice } from "../site/layout.ts";
import { type PageAnswer, problemBox, refusalOf, type Site, type WorkspaceCall } from "../site/site.ts";
import { brandOf, show } from "./billing.ts";

/**
 * Buying a pack with the saved card, with the same two calls that an agent makes. The form contains the challenge, so
 * that a form sent twice charges once.
 */
export function buyCreditsPages(site: Site): void {
  const path = "/w/:slug/billing";
  site.workspace("post", `${path}/buy`, (call) => offer(site, call), { mayLeave: true });
  site.workspace("post", `${path}/pay`, (call) => pay(site, call), { mayLeave: true });
  site.workspace("get", `${path}/purchases/:id`, (call) => purchasePage(site, call));
}

type Order = { operation: string; pack: string; body: { credits?: number } };

/** Null if there is no such pack. */
function orderOf({ form }: WorkspaceCall): Order | null {
  const pack = form.text("pack");
  const operation = OPERATIONS.get(pack);
  if (!operation) return null;
  return { operation, pack, body: pack === "custom" ? { credits: Number(form.text("credits")) } : {} };
}

const OPERATIONS = new Map([
  ["small", "buyCreditsSmall"],
  ["medium", "buyCreditsMedium"],
  ["large", "buyCreditsLarge"],
  ["custom", "buyCreditsCustom"],
]);

/** Requests the challenge and shows what will be charged. */
async function offer(site: Site, call: WorkspaceCall): Promise<PageAnswer> {
  const order = orderOf(call);
  if (!order) return show(site, call);
  try {
    await site.perform(call, order.operation, { body: order.body });
    throw new Error("Credits were given without a payment.");
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal.is(creditErrors.payment_required))
      return { ...(await show(site, call, problemBox(refusal))), status: refusal.status };
    return confirmation(call, order, refusal);
  }
}

async function confirmation({ here }: WorkspaceCall, order: Order, { problem }: Refusal): Promise<PageAnswer> {
  const base = `/w/${here.workspace.slug}/billing`;
  const challenge = problem.challenge as { challenge_id: string; credits: number; amount: string };
  const card = await readSavedCard(here.db, here.workspace.id);
  const price = `$${(Number(challenge.amount) / 100).toFixed(2)}`;
  const what = html`<strong>${challenge.credits.toLocaleString("en-US")} AI credits</strong> for <strong>${price}</strong>`;
  return {
    title: "Buy credits",
    body: html`<div class="question"><h1>Buy credits</h1>${
      card?.payment_method
        ? html`<p>You are about to buy ${what} for ${here.workspace.name}, charged to ${brandOf(card)} ending in ${card.last4 ?? "????"}.</p>
          <form method="post" action="${base}/pay">
            <input type="hidden" name="pack" value="${order.pack}">
            <input type="hidden" name="credits" value="${order.body.credits ?? ""}">
            <input type="hidden" name="challenge" value="${challenge.challenge_id}">
            <button class="wide">Pay ${price}</button>
          </form>`
        : html`<p>To buy ${what}, save a card first.</p>
          <form method="post" action="${base}/card"><button class="wide">Save a card</button></form>`
    }<p><a href="${base}">Back to billing</a></p></div>`,
  };
}

async function pay(site: Site, call: WorkspaceCall): Promise<PageAnswer> {
  const order = orderOf(call);
  if (!order) return show(site, call);
  const credential = { challenge_id: call.form.text("challenge"), use_saved_card: true };
  const payload = Buffer.from(JSON.stringify(credential)).toString("base64url");
  const headers = { authorization: `Payment payload=${payload}` };
  try {
    const purchase = await site.perform<PurchaseView>(call, order.operation, { body: order.body, headers });
    return { to: `/w/${call.here.workspace.slug}/billing/purchases/${purchase.id}` };
  } catch (error) {
    const refusal = refusalOf(error);
    // The form was sent twice, or the outcome is not known yet. The purchase shows its state.
    const purchase = refusal.details.purchase_id;
    if (purchase && refusal.is(...AMBIGUOUS)) {
      return { to: `/w/${call.here.workspace.slug}/billing/purchases/${purchase}` };
    }
    return { ...(await show(site, call, problemBox(refusal))), status: refusal.status };
  }
}

const AMBIGUOUS = [creditErrors.payment_unknown, creditErrors.challenge_consumed, "idempotency_in_progress"] as const;

async function purchasePage(site: Site, call: WorkspaceCall): Promise<PageAnswer> {
  const base = `/w/${call.here.workspace.slug}/billing`;
  const purchase = await site.perform<PurchaseView>(call, "purchases.get", { params: { id: call.params.id ?? "" } });
  const { credits, amount, payment_status, credits_status } = purchase;
  return {
    title: "Purchase",
    body: html`<div class="question"><h1>${credits.toLocaleString("en-US")} AI credits</h1>
      ${state(payment_status, credits_status)}
      <dl class="facts">
        <dt>Price</dt><dd>$${(Number(amount) / 100).toFixed(2)}</dd>
        <dt>Bought</dt><dd>${instant(purchase.created_at)}</dd>
        <dt>Purchase</dt><dd><code>${purchase.id}</code></dd>
        <dt>Bought credits now</dt><dd>${purchase.ai_credits.topup_balance.toLocaleString("en-US")}</dd>
      </dl>
      <p><a href="${base}">Back to billing</a></p></div>`,
  };
}

function state(payment: PurchaseView["payment_status"], credits: PurchaseView["credits_status"]) {
  if (payment === "failed") return notice("bad", "The payment failed; nothing was charged.");
  if (payment === "refunded")
    return notice(
      "info",
      "The card was charged after this purchase had failed and another one had been made. We have refunded that charge.",
    );
  if (payment === "pending")
    return notice(
      "info",
      "The card processor has not confirmed the outcome yet. Do not pay again: reload this page in a minute.",
    );
  if (credits === "pending") return notice("info", "Paid. The credits arrive in a moment; reload this page.");
  return notice("good", "Paid, and the credits are here.");
}
