import { type Html, html } from "../../../domain/kernel/html.ts";
import type { SavedCardRow } from "../../../domain/tenancy/credits/saved-card.sql.ts";
import { notice } from "../site/layout.ts";
import type { WorkspaceCall } from "../site/site.ts";

/**
 * What the billing page says to a person who comes back from the card processor's page. The card itself arrives with a
 * message from the processor, often a moment later, so the address alone does not mean that a card is saved.
 */

export type Return =
  | { state: "cancelled" | "saved" }
  /** `seconds`: since the person left for the processor's page. `at`: when that was, in milliseconds. */
  | { state: "waiting"; seconds: number; at: number };

/** Null if the person does not come from there. @param card the stored card, null if there is none */
export function readReturn({ query, here }: WorkspaceCall, card: SavedCardRow | null): Return | null {
  const state = query("card");
  if (state === "cancelled") return { state };
  if (state !== "saved") return null;
  const at = timeIn(query("since"), Date.parse(here.now));
  if (card?.payment_method && Date.parse(card.updated_at) >= at) return { state };
  return { state: "waiting", seconds: (Date.parse(here.now) - at) / 1000, at };
}

/** 0 if it is no time, or one in the future, for which nobody should wait. */
function timeIn(text: string, now: number): number {
  const at = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return at > now + CLOCKS_MS ? 0 : at;
}
/** The clocks of two web processes may differ. */
const CLOCKS_MS = 60_000;

export function returnNotice(returned: Return | null): Html | string {
  if (returned?.state === "saved") return notice("good", "The card is saved.");
  if (returned?.state === "cancelled")
    return notice("info", "Nothing was changed: you left the card processor's page.");
  return "";
}

export const cardOnItsWay = (base: string, { at, seconds }: Return & { state: "waiting" }): Html =>
  html`<section class="card" aria-labelledby="card">
    <h2 id="card">Card</h2>
    ${notice("info", seconds < LATE ? ON_ITS_WAY : OVERDUE)}
    <p><a class="button second" href="${base}?card=saved&since=${at}">Look again</a> <a href="${base}">Billing</a></p>
  </section>`;

const LATE = 300;
const ON_ITS_WAY =
  "The card processor has accepted the card and is telling us about it. That takes a few seconds; this page shows the card then.";
const OVERDUE =
  "The card processor has not told us about the card yet. If you finished its page, the message comes with a delay. If not, go to billing and save the card again.";
