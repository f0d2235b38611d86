import { type Html, html } from "../../../domain/kernel/html.ts";
import { readId } from "../../../domain/kernel/ids.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import type { Balances } from "../../../domain/tenancy/credits/balances.ts";
import { type EntryRow, listEntries } from "../../../domain/tenancy/credits/history.sql.ts";
import { CUSTOM_CREDITS, PACKS } from "../../../domain/tenancy/credits/packs.ts";
import { readSavedCard, type SavedCardRow } from "../../../domain/tenancy/credits/saved-card.sql.ts";
import type { UsageView } from "../../../domain/tenancy/workspaces/usage.ts";
import { instant, notice } from "../site/layout.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import { cardOnItsWay, type Return, readReturn, returnNotice } from "./card-return.ts";
import { planUsage } from "./plan-usage.ts";

/** Billing: balances, the saved card and the ledger. Buying: buy-credits.ts; the card: save-card.ts. */

const LINES = 50;

export function billingPages(site: Site): void {
  const path = "/w/:slug/billing";
  // Saving a card redirects to the processor's page.
  site.workspace("get", path, (call) => show(site, call), { mayLeave: true });
}

const onlyAdmins = notice("info", "Only owners and admins buy credits and see the ledger.");

/** The page, with an optional message above it. */
export async function show(site: Site, call: WorkspaceCall, told?: Html) {
  const { here } = call;
  const usage = await site.perform<UsageView>(call, "workspaces.usage");
  const base = `/w/${here.workspace.slug}/billing`;
  const admin = isAdmin(here.principal.role);
  const card = admin ? await readSavedCard(here.db, here.workspace.id) : null;
  const returned = readReturn(call, card);
  // The page loads itself again until the card is here, but not for ever.
  if (returned?.state === "waiting" && returned.seconds < 60) call.request.set("Refresh", "3");
  const body = admin ? await forAdmins(call, base, { card, returned }) : html`${onlyAdmins}`;
  return {
    title: "Billing",
    seen: { kinds: "credits_low" },
    body: html`<h1>Billing</h1>${told ?? returnNotice(returned)}${balance(usage.ai_credits, usage.resets_at)}${body}${planUsage(usage)}`,
  };
}

type CardState = { card: SavedCardRow | null; returned: Return | null };

async function forAdmins({ here, query }: WorkspaceCall, base: string, state: CardState): Promise<Html> {
  const before = readId(query("before"));
  const entries = await listEntries(here.db, here.workspace.id, before, LINES + 1);
  return html`${here.settings.payments.enabled ? html`${cardOnFile(state, base)}${shop(base)}` : PAYMENTS_OFF}
    ${ledger(entries, base, before !== null)}`;
}

export const PAYMENTS_OFF = notice(
  "info",
  "This installation has no card processor, so credits cannot be bought here.",
);

const number = (value: number) => (value === Number.MAX_SAFE_INTEGER ? "unlimited" : value.toLocaleString("en-US"));

function balance(credits: Balances, resetsAt: string): Html {
  return html`<section class="card" aria-labelledby="balance">
    <h2 id="balance">AI credits</h2>
    <dl class="facts">
      <dt>Bought, never expires</dt><dd><span class="big">${number(credits.topup_balance)}</span></dd>
      <dt>Included, left this month</dt><dd>${number(credits.remaining)} of ${number(credits.monthly_grant)}, new on ${instant(resetsAt)}</dd>
      <dt>Included, left today</dt><dd>${number(credits.daily_remaining)} of ${number(credits.daily_limit)}</dd>
    </dl>
  </section>`;
}

/** The processor's brands are codes: `visa`. */
export const brandOf = ({ brand }: Pick<SavedCardRow, "brand">): string =>
  brand ? brand[0]!.toUpperCase() + brand.slice(1).replaceAll("_", " ") : "Card";

function cardOnFile({ card, returned }: CardState, base: string): Html {
  if (returned?.state === "waiting") return cardOnItsWay(base, returned);
  const saved = card?.payment_method ? card : null;
  return html`<section class="card" aria-labelledby="card">
    <h2 id="card">Card</h2>
    <p>${
      saved
        ? html`${brandOf(saved)} ending in <strong>${saved.last4 ?? "????"}</strong>, good until ${saved.exp_month ?? "?"}/${saved.exp_year ?? "?"}.
          Agents with the admin scope may charge it too.`
        : "No card is saved. Save one on the card processor's page; it is then charged when you, or an agent with the admin scope, buy credits."
    }</p>
    <form method="post" action="${base}/card"><button class="${saved ? "second" : ""}">${saved ? "Replace the card" : "Save a card"}</button></form>
  </section>`;
}

function shop(base: string): Html {
  const pack = (name: "small" | "medium" | "large") => {
    const { credits, amountCents, note } = PACKS[name];
    return html`<li><form method="post" action="${base}/buy">
      <h3>${number(credits)} credits</h3>
      <p>$${(amountCents / 100).toFixed(2)}${note ? html` · ${note}` : ""}</p>
      <p><button class="second" name="pack" value="${name}" aria-label="Buy ${number(credits)} credits">Buy</button></p>
    </form></li>`;
  };
  return html`<section aria-labelledby="buy">
    <h2 id="buy">Buy credits</h2>
    <ul class="cards">
      ${pack("small")}${pack("medium")}${pack("large")}
      <li><form method="post" action="${base}/buy">
        <div><h3><label for="credits">Any number</label></h3>
        <input id="credits" name="credits" type="number" inputmode="numeric" required min="${CUSTOM_CREDITS.min}" max="${CUSTOM_CREDITS.max}" step="1" value="1000" aria-describedby="credits-hint">
        <p id="credits-hint">${number(CUSTOM_CREDITS.min)} to ${number(CUSTOM_CREDITS.max)}, 1 cent each</p></div>
        <p><button class="second" name="pack" value="custom" aria-label="Buy this many credits">Buy</button></p>
      </form></li>
    </ul>
  </section>`;
}

const KINDS: Record<EntryRow["kind"], string> = {
  included: "Included with the plan",
  purchase: "Bought",
  spend: "Spent",
  adjust: "Corrected",
  refund: "Refunded",
};

function ledger(entries: EntryRow[], base: string, older: boolean): Html {
  const shown = entries.slice(0, LINES);
  const rows = shown.map(
    (entry) => html`<tr>
      <td data-label="When">${instant(entry.created_at)}</td>
      <td data-label="What">${KINDS[entry.kind]}${entry.reason ? html` <span class="quiet">${entry.reason}</span>` : ""}</td>
      <td data-label="By">${entry.by ?? html`<span class="quiet">the service</span>`}</td>
      <td data-label="Credits" class="number">${entry.amount > 0 ? "+" : "−"}${number(Math.abs(entry.amount))}</td>
      <td data-label="Balance" class="number">${number(entry.balance_after)} <span class="quiet">${entry.bucket === "topup" ? "bought" : "included"}</span></td>
    </tr>`,
  );
  return html`<section class="card" aria-labelledby="ledger">
    <h2 id="ledger">Ledger</h2>
    ${
      shown.length === 0
        ? html`<p class="quiet">No lines ${older ? "before this" : "yet"}.</p>`
        : html`<table class="stack"><thead><tr><th>When</th><th>What</th><th>By</th><th class="number">Credits</th><th class="number">Balance</th></tr></thead><tbody>${rows}</tbody></table>`
    }
    ${older ? html`<a href="${base}#ledger">Newest</a> ` : ""}${entries.length > LINES ? html`<a href="${base}?before=${shown.at(-1)!.id}#ledger" rel="next">Older</a>` : ""}
  </section>`;
}
