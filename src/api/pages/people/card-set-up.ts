import { html } from "../../../domain/kernel/html.ts";
import { notice } from "../site/layout.ts";
import type { Site } from "../site/site.ts";

/**
 * The pages to which the processor's page returns if a program asked for it. Whoever saved the card may not be signed
 * in here. The card itself arrives with the processor's notification.
 */
export function cardSetUpPages(site: Site): void {
  site.open("get", "/billing/card/saved", async () => ({
    title: "Card saved",
    body: html`<div class="question"><h1>Card saved</h1>
      ${notice("good", "The card is saved at the card processor.")}
      <p>It tells Muster within a minute; then programs with the admin scope can buy credits with it. You can close
        this page.</p></div>`,
  }));
  site.open("get", "/billing/card/cancelled", async () => ({
    title: "No card saved",
    body: html`<div class="question"><h1>No card saved</h1>
      <p>No card was saved, and nothing was charged. You can close this page. To try again, ask the program for a new
        address.</p></div>`,
  }));
}
