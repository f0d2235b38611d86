import { type Html, html } from "../../../domain/kernel/html.ts";

/** The pieces that every page is made of. `/dev/design` shows each in all its states. */

/** The way to a page from its workspace. The page itself is its headline, not a crumb. */
export const crumbs = (...links: readonly (readonly [href: string, label: string])[]): Html =>
  html`<nav class="crumbs" aria-label="You are here"><ol>${links.map(([href, label]) => html`<li><a href="${href}">${label}</a></li>`)}</ol></nav>`;

export type Tab = { href: string; label: string; current?: boolean };

/** The pages of one object. */
export const tabs = (label: string, all: readonly Tab[]): Html =>
  html`<nav class="tabs" aria-label="${label}"><ul>${all.map(
    ({ href, label, current }) =>
      html`<li><a href="${href}"${current ? html` aria-current="page"` : ""}>${label}</a></li>`,
  )}</ul></nav>`;

/** What stands where there is nothing yet: why, and what to do about it. */
export const empty = (title: string, text: Html | string, action: Html | string = ""): Html =>
  html`<div class="empty"><p class="as-label">${title}</p><p>${text}</p>${action}</div>`;

/** How far something is. The text says it too, for those who do not see the bar. */
export const progress = (done: number, total: number, unit: string): Html => html`<span class="progress">
  <progress value="${done}" max="${Math.max(total, 1)}" aria-label="${done} of ${total} ${unit}"></progress>
  <span class="quiet">${done} of ${total} ${unit}</span></span>`;

export type Tone = "" | "good" | "bad" | "warn" | "quiet";

/** A state in a word. */
export const badge = (text: string, tone: Tone = ""): Html =>
  html`<span class="${tone === "" ? "badge" : `badge ${tone}`}">${text}</span>`;

/** A text with the colour that people gave it. The colour is never its only sign. */
export const colored = (color: string | null, text: string): Html =>
  html`<span class="badge"><svg class="dot" width="10" height="10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="${color ?? "#8795a3"}"/></svg>${text}</span>`;

/** Names and values, one pair a line. Pairs without a value are left out. */
export const facts = (pairs: readonly (readonly [name: string, value: Html | string | null])[]): Html =>
  html`<dl class="facts">${pairs.filter(([, value]) => value !== null).map(([name, value]) => html`<dt>${name}</dt><dd>${value ?? ""}</dd>`)}</dl>`;

/** Links to the next page of a list, and from a later page to the first. */
export function pager(
  next: string | null,
  { first, isFirst, what }: { first: string; isFirst: boolean; what: string },
): Html {
  if (next === null && isFirst) return html``;
  return html`<p class="row">${isFirst ? "" : html`<a href="${first}">First ${what}</a>`}
    ${next === null ? "" : html`<a href="${next}" rel="next">More ${what}</a>`}</p>`;
}

/** What is shown on demand. Without script, as with it. */
export const fold = (summary: Html | string, body: Html, { open = false } = {}): Html =>
  html`<details class="fold"${open ? html` open` : ""}><summary>${summary}</summary>${body}</details>`;

/** A form that adds something, shown on demand. */
export const adding = (summary: Html | string, body: Html, { open = false } = {}): Html =>
  html`<details class="fold adding"${open ? html` open` : ""}><summary>${summary}</summary>${body}</details>`;

/** A form with one button that does one thing. */
export const act = (action: string, label: string, { second = true, fields = html`` as Html, name = "" } = {}): Html =>
  html`<form method="post" action="${action}">${fields}<button${second ? html` class="second"` : ""}${name ? html` aria-label="${name}"` : ""}>${label}</button></form>`;

/** What a list is narrowed down by. Each links to the list without it, and the last to all of the list. */
export const chips = (all: readonly { text: string; href: string }[], none: string | null): Html | string =>
  all.length === 0
    ? ""
    : html`<ul class="chips" aria-label="Filters">${all.map(({ text, href }) => html`<li><a href="${href}" aria-label="Remove the filter ${text}">${text} <span aria-hidden="true">×</span></a></li>`)}
      ${none === null ? "" : html`<li><a class="plain" href="${none}">Remove all</a></li>`}</ul>`;

/** Ways between lists of the same kind, such as saved views or reports. */
export const ways = (label: string, all: readonly { href: string; label: string; current: boolean }[]): Html =>
  html`<nav aria-label="${label}"><ul class="chips">${all.map((one) => html`<li><a href="${one.href}"${one.current ? html` aria-current="page"` : ""}>${one.label}</a></li>`)}</ul></nav>`;

/** How far something is, in percent. Null: nothing measures it. */
export const percentBar = (percent: number | null, of: string): Html =>
  percent === null
    ? html`<span class="quiet">not measured</span>`
    : html`<span class="progress"><progress value="${percent}" max="100" aria-label="${percent} % of ${of}"></progress> <span class="quiet">${percent} %</span></span>`;
