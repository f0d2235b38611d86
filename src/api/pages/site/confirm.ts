import { type Html, html } from "../../../domain/kernel/html.ts";

/** The button of an action that cannot be undone. It asks first, in place and without a script. */

export type Question = {
  /** Text of the button that asks. Three dots follow. */
  ask: string;
  /** What the action concerns, for people who only hear the page. Needed if the page has several such buttons. */
  about?: string;
  action: string;
  /** What happens, in a sentence or two. */
  consequence: Html | string;
  /** Text of the button that acts. Names the object, so that nobody confirms the wrong one. */
  confirm: string;
  /** Name and value of the button that acts. */
  value?: [name: string, value: string];
  /** Further inputs of the form. */
  fields?: Html;
};

/**
 * Every dangerous form of these pages is made here, except for that of `/account/delete`, a page of its own. A test walks
 * all pages and finds those that are not.
 */
export function askFirst({ ask, about, action, consequence, confirm, value, fields }: Question): Html {
  const label = about === undefined ? "" : html` aria-label="${ask} ${about}…"`;
  const named = value ? html` name="${value[0]}" value="${value[1]}"` : "";
  return html`<details class="confirm"><summary${label}>${ask}…</summary>
    <form method="post" action="${action}"><p>${consequence}</p>${fields ?? ""}
    <button class="danger"${named}>${confirm}</button></form></details>`;
}
