import { Refusal } from "../../domain/kernel/errors.ts";
import { type Html, html } from "../../domain/kernel/html.ts";
import { ADA, BOT } from "./design-examples.ts";
import { choices, radios, select, textArea, textField, tick } from "./kit/fields.ts";
import { person } from "./kit/people.ts";
import { adding, badge, colored, empty, fold, pager, progress, tabs } from "./kit/pieces.ts";
import { bytesInWords } from "./kit/sizes.ts";
import { exactly, minutesInWords } from "./kit/times.ts";
import { askFirst } from "./site/confirm.ts";
import { problemBox } from "./site/site.ts";

/** Pieces in the states that are rare: refused, disabled, long, many, none. */

const LONG = "Donaudampfschifffahrtsgesellschaftskapitän ".repeat(3).replaceAll(" ", "");
const refused = new Refusal("validation_failed", {
  errors: ["title", "body", "kind", "on", "one", "many"].map((name) => ({ path: `/${name}`, message: "is required" })),
});
const options = [
  { value: "1", label: "One" },
  { value: "2", label: LONG },
];

/** Each kind of field, refused: what was wrong stands at the field. */
export const refusedFields = (): Html => html`${problemBox(refused)}<form class="narrow">
  ${textField({ name: "title", label: "Title", required: true, value: "", refusal: refused, prefix: "r-" })}
  ${textArea({ name: "body", label: "Text", rows: 2, refusal: refused, hint: "Markdown.", prefix: "r-" })}
  ${select({ name: "kind", label: "Kind", options, none: "None", refusal: refused, prefix: "r-" })}
  ${tick({ name: "on", label: "Agree", checked: false, refusal: refused, prefix: "r-" })}
  ${radios({ name: "one", label: "One of them", value: "", options, refusal: refused, prefix: "r-" })}
  ${choices({ name: "many", label: "Some of them", values: [], options, refusal: refused, prefix: "r-" })}
  <button>Create the issue</button></form>`;

/** Days, numbers, files, and what cannot be changed. */
export const otherFields = (): Html => html`<form class="narrow"><div class="pairs">
  ${textField({ name: "day", label: "Due", type: "date", value: "2026-11-30", prefix: "o-" })}
  ${textField({ name: "points", label: "Points", type: "number", value: 5, prefix: "o-" })}
  ${textField({ name: "address", label: "Address", type: "url", placeholder: "https://…", prefix: "o-" })}
  ${textField({ name: "long", label: LONG, value: LONG, prefix: "o-" })}</div>
  <div class="field"><label for="o-file">File</label><input type="file" id="o-file"></div>
  <div class="field"><label for="o-fixed">Key</label><input id="o-fixed" value="WEB" disabled><p class="hint">The key stays as it is.</p></div>
  <div class="row"><button disabled>Saved</button><button class="second" disabled>Not now</button><a class="button second" href="#x">Cancel</a><button type="button" class="plain">Undo</button></div></form>`;

/** Names of any length, and many of everything. */
export const longAndMany = (): Html => html`
  <ul class="lines"><li class="object-line"><div class="object-name"><a class="issue-title strong" href="#x">${LONG}</a>
    <p class="marks">${colored("#7c3aed", LONG)} ${badge("Active", "good")} <span class="quiet">${bytesInWords(48_213)}, ${minutesInWords(95)}, ${exactly("2026-11-23T12:00:00.000Z")}</span></p></div>${progress(3, 8, "issues")}</li>
  <li class="object-line"><div class="object-name">${person({ ...ADA, name: LONG })} ${person({ ...BOT, name: null })}</div><a class="button second" href="#x">Open</a></li></ul>
  <p class="marks">${["#b91c1c", "#0f766e", "#1d4ed8"].flatMap((color) => ["backend", "needs design", "good first issue", "v2"].map((name) => colored(color, name)))}</p>
  ${tabs(
    "Many",
    Array.from({ length: 12 }, (_, n) => ({ href: `#t${n}`, label: `Page ${n + 1}`, current: n === 9 })),
  )}
  <div class="scrolls" tabindex="0" role="region" aria-label="A wide table"><table><thead><tr>${Array.from({ length: 14 }, (_, n) => html`<th>Week ${n + 1}</th>`)}</tr></thead>
    <tbody><tr>${Array.from({ length: 14 }, (_, n) => html`<td class="number">${n * 1_234}</td>`)}</tr></tbody></table></div>
  ${pager("#next", { first: "#first", isFirst: false, what: "issues" })}${pager(null, { first: "#first", isFirst: false, what: "issues" })}`;

/** What is unfolded: details, a form that adds, a question before something is lost, a menu. */
export const unfolded = (): Html => html`${fold("Details", html`<p>What few people need.</p>`, { open: true })}
  ${adding("Add a label", html`<p>Closed.</p>`)}
  <p><a class="adding-way" href="#add">Add on a page of its own</a></p>
  ${adding("Add a column", html`<form class="narrow">${textField({ name: "name", label: "Name", required: true, prefix: "u-" })}<button class="second">Add the column</button></form>`, { open: true })}
  ${askFirst({ ask: "Disconnect", about: "Release bot", action: "#", consequence: "All its keys are revoked.", confirm: "Disconnect Release bot" })}
  <ul class="column-cards"><li class="issue-card"><p class="issue-head">WEB-7 <span class="who-row">${person(ADA)}</span><a class="dots" href="#x" aria-label="Move WEB-7" aria-expanded="true">⋯</a></p>
    <a class="issue-title" href="#x">A card whose menu is open</a>
    <form class="move"><label for="u-to">Column</label><select id="u-to"><option>To do</option><option>Done</option></select><div class="row"><button class="second">To the top</button><button class="second">To the bottom</button></div></form></li></ul>
  ${empty("Nothing is assigned to you", "Without something to do about it.")}`;

/** Docs below each other, what people said, and what happened. */
export const talkAndTrees = (): Html => html`
  <ul class="tree"><li><p class="tree-line"><a href="#x">Handbook</a> <span class="quiet">yesterday</span></p>
    <ul class="tree"><li><p class="tree-line"><a href="#x">${LONG}</a> ${badge("Private", "quiet")}</p></li></ul></li></ul>
  <article class="chat-message" aria-label="Message by Ada Lovelace"><p class="comment-head">${person(ADA)} <a class="quiet" href="#x">3 min ago</a> <span class="quiet">edited</span></p>
    <div class="prose"><p>Shall we <strong>release</strong> today?</p></div>
    <ul class="reactions"><li><button type="button" class="reaction mine" aria-pressed="true">👍 2</button></li><li><button type="button" class="reaction" aria-pressed="false">🎉 1</button></li></ul><p><a href="#x">2 replies</a></p></article>
  <article class="chat-message quiet"><p>This message was deleted.</p></article>
  <article class="comment"><p class="comment-head">${person(BOT)} <a class="quiet" href="#x">1 h ago</a><span class="ways"><a class="quiet" href="#x">Reply</a></span></p><div class="prose"><p>All tests pass.</p></div></article>
  <ul class="story-lines"><li><svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="10" fill="#1d4ed8"/></svg><span><b class="actor">Ada Lovelace</b> moved it from <b>To do</b> to <b>Done</b> yesterday</span></li></ul>`;
