import { type Html, html } from "../../../domain/kernel/html.ts";
import type { Form } from "../site/forms.ts";

/** Lists whose order people choose: each thing has a form that moves it up or down. */

/** @param beside what it would stand before or behind then; absent at the ends of the list */
export function orderForm(action: string, name: string, beside: { above?: string; below?: string }): Html {
  const button = (sign: string, way: string, value: string | undefined): Html =>
    html`<button class="second" name="place" value="${value ?? ""}" aria-label="Move ${name} ${way}"${value === undefined ? html` disabled` : ""}>${sign}</button>`;
  const { above, below } = beside;
  return html`<form class="order" method="post" action="${action}">${button("↑", "up", above && `before:${above}`)}${button("↓", "down", below && `after:${below}`)}</form>`;
}

/** What is above and below each thing of a list. */
export const besideOf = (ids: readonly string[], at: number): { above?: string; below?: string } => {
  const [above, below] = [ids[at - 1], ids[at + 1]];
  return { ...(above ? { above } : {}), ...(below ? { below } : {}) };
};

/** The place that such a form asks for, as the API names it. */
export function placeOf(form: Form): { before?: string; after?: string } {
  const [side, ref] = form.text("place").split(":");
  if (!ref) return {};
  return side === "before" ? { before: ref } : { after: ref };
}
