import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import { readSavedCard } from "../../../domain/tenancy/credits/saved-card.sql.ts";
import { notice } from "../site/layout.ts";
import { type PageAnswer, problemBox, refusalOf, type Site, type WorkspaceCall } from "../site/site.ts";
import { brandOf, PAYMENTS_OFF, show } from "./billing.ts";

/** Saves the workspace's card: from the billing page, or from the `action_url` of a payment error. */
export function saveCardPages(site: Site): void {
  const path = "/w/:slug/billing/card";
  // The form redirects to the processor's page.
  const mayLeave = { mayLeave: true };
  site.workspace("get", path, cardPage, mayLeave);
  site.workspace("post", path, (call) => openProcessor(site, call), mayLeave);
}

/**
 * The `action_url` of a payment that needs a person. Only the person's button opens the processor's page: if a GET
 * did, any link could create customers and sessions there.
 */
async function cardPage({ here }: WorkspaceCall): Promise<PageAnswer> {
  const title = "Save a card";
  const page = (body: Html, status = 200) => ({
    title,
    status,
    body: html`<div class="question"><h1>${title}</h1>${body}<p><a href="/w/${here.workspace.slug}/billing">Billing</a></p></div>`,
  });
  if (!isAdmin(here.principal.role)) {
    const name = here.workspace.name;
    return page(
      notice("info", `Only owners and admins of ${name} can save its card. Send this address to one of them.`),
      403,
    );
  }
  if (!here.settings.payments.enabled) return page(PAYMENTS_OFF);
  const card = await readSavedCard(here.db, here.workspace.id);
  const saved = card?.payment_method ? card : null;
  return page(html`
    <p>Programs buy AI credits for ${here.workspace.name} with its saved card. ${
      saved
        ? html`That is ${brandOf(saved)} ending in <strong>${saved.last4 ?? "????"}</strong>.`
        : "There is none yet."
    }</p>
    <p>${
      saved
        ? "If the bank asked for a confirmation, save the same card again and confirm it there. If the card was declined, save another one."
        : "You enter the card on the card processor's page. Your bank may ask you to confirm it there."
    } Saving a card charges nothing.</p>
    <form method="post" action="/w/${here.workspace.slug}/billing/card"><button class="wide">Go to the card processor</button></form>`);
}

async function openProcessor(site: Site, call: WorkspaceCall): Promise<PageAnswer> {
  const { here } = call;
  try {
    if (!isAdmin(here.principal.role)) return { ...(await show(site, call)), status: 403 };
    return { to: (await site.perform<{ url: string }>(call, "cards.setup")).url };
  } catch (error) {
    return show(site, call, problemBox(refusalOf(error)));
  }
}
