import { type Html, html } from "../../../domain/kernel/html.ts";
import type { NotificationView } from "../../../domain/knowledge/notifications/view.ts";
import { badge } from "./pieces.ts";
import { withoutMarks } from "./plain.ts";
import { ago } from "./times.ts";

/** A notification, as a line of a list. */

/** The path of a page that a reply of the API names. */
export function pathIn(url: string): string {
  const { pathname, search, hash } = new URL(url);
  return pathname + search + hash;
}

/** @param more stands at the end, such as a button */
export function noticeLine(
  { id, title, body, url, created_at, read_at, session_id }: NotificationView,
  { base, now, isMixed = false }: { base: string; now: string /** Read ones are among them. */; isMixed?: boolean },
  more: Html | string = "",
): Html {
  // What concerns a session is answered on its page.
  const to = session_id === null ? pathIn(url) : `${base}/agents/sessions/${session_id}`;
  return html`<li class="object-line" id="notice-${id}"><div class="object-name">
      <a class="issue-title${read_at === null ? " strong" : ""}" href="${to}" dir="auto">${title}</a>
      ${body ? html`<p class="says" dir="auto">${withoutMarks(body)}</p>` : ""}
      <p class="marks quiet">${ago(created_at, now)}${isMixed && read_at === null ? badge("Unread") : ""}</p></div>${more}</li>`;
}
