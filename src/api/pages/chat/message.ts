import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import type { ChatMessageView } from "../../../domain/knowledge/chat-messages/view.ts";
import { mentionArea } from "../issue/mention-area.ts";
import { type People, personOf } from "../issue/read.ts";
import { beginningOf } from "../kit/beginning.ts";
import { hidden } from "../kit/fields.ts";
import { person } from "../kit/people.ts";
import { badge } from "../kit/pieces.ts";
import { ago } from "../kit/times.ts";
import { long } from "../kit/typed.ts";
import { revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import type { WorkspaceCall } from "../site/site.ts";
import { channelPath, messagePath } from "./read.ts";

/** A message, and what the person can do with it. */

export type Talk = {
  call: WorkspaceCall;
  people: People;
  /** By their Markdown. */
  texts: ReadonlyMap<string, Html>;
  mayWrite: boolean;
  /** Id of the thread's first message; empty on the page of the channel. */
  thread: string;
  /** Whether the page shows the surroundings of an old message, and not the newest ones. */
  older: boolean;
};

/** What a channel shows of a message: a long one is cut, unless the person wants all of it. */
export function shownOf(call: WorkspaceCall, { id, body_md }: ChatMessageView): { text: string; isCut: boolean } {
  const beginning = call.query("whole") === id ? null : beginningOf(body_md);
  return { text: beginning ?? body_md, isCut: beginning !== null };
}

/** Address of the page with a message: with what can be done with it (`on`), or with all of its text (`whole`). */
function pageOf({ call, thread, older }: Talk, id: string, how?: "on" | "whole"): string {
  const all = new URLSearchParams({
    ...(thread === "" ? {} : { thread }),
    ...(older ? { at: id } : {}),
    ...(how ? { [how]: id } : {}),
  });
  return `${channelPath(call)}${all.size > 0 ? `?${all}` : ""}#message-${id}`;
}

/** What the forms say about the page that they are on. */
const place = ({ thread, older }: Talk): Html =>
  html`${hidden("thread", thread)}${older ? hidden("older", "true") : ""}`;

export function messagePart(talk: Talk, message: ChatMessageView): Html {
  const { call, people } = talk;
  const { id, author_id, author_kind, created_at, deleted_at, edited_at, streaming, stream_status, body_md } = message;
  if (deleted_at !== null)
    return html`<article class="chat-message quiet" id="message-${id}"><p>This message was deleted.</p>${threadLink(talk, message)}</article>`;
  const author = {
    ...personOf(people, author_id),
    kind: author_kind === "agent" ? ("agent" as const) : ("user" as const),
  };
  const { text, isCut } = shownOf(call, message);
  const isOpen = (call.query("on") || call.params.messageId) === id;
  return html`<article class="chat-message" id="message-${id}" aria-label="Message by ${author.name ?? "someone"}">
    <p class="comment-head">${person(author)} <a class="quiet" href="${messagePath(call, id, talk.thread)}">${ago(created_at, call.here.now)}</a>
      ${edited_at === null ? "" : html`<span class="quiet">edited</span>`}${streaming ? badge("Still writing", "warn") : ""}${stream_status === "timed_out" ? badge("Cut off", "warn") : ""}
      ${talk.mayWrite ? html`<a class="dots" href="${pageOf(talk, id, isOpen ? undefined : "on")}" aria-label="React to or change the message by ${author.name ?? "someone"}"${isOpen ? html` aria-expanded="true"` : ""}>⋯</a>` : ""}</p>
    ${body_md === "" ? html`<p class="quiet">…</p>` : (talk.texts.get(text) ?? "")}
    ${isCut ? html`<p><a href="${pageOf(talk, id, "whole")}">Show all<span class="out"> of the message by ${author.name ?? "someone"}</span></a></p>` : ""}
    ${reactions(talk, message)}${threadLink(talk, message)}${isOpen && talk.mayWrite ? menu(talk, message) : ""}</article>`;
}

const threadLink = ({ call, thread }: Talk, { id, reply_count, last_reply_at }: ChatMessageView): Html | string =>
  reply_count > 0 && thread === ""
    ? html`<p><a href="${channelPath(call)}?thread=${id}">${reply_count === 1 ? "1 reply" : `${reply_count} replies`}</a>${last_reply_at === null ? "" : html` <span class="quiet">${ago(last_reply_at, call.here.now)}</span>`}</p>`
    : "";

/** Pressing one's own reaction takes it back. */
function reactions(talk: Talk, { id, reactions }: ChatMessageView): Html | string {
  if (reactions.length === 0) return "";
  const { call, people, mayWrite } = talk;
  return html`<ul class="reactions">${reactions.map(({ emoji, count, user_ids }) => {
    const mine = user_ids.includes(call.visitor.user.id);
    const who = user_ids.slice(0, 10).map((one) => personOf(people, one).name ?? "someone");
    const shown = html`<span dir="auto">${emoji}</span> ${count}<span class="out">: ${who.join(", ")}</span>`;
    if (!mayWrite) return html`<li class="badge">${shown}</li>`;
    return html`<li><form method="post" action="${channelPath(call)}/messages/${id}/${mine ? "unreact" : "react"}">${hidden("emoji", emoji)}${place(talk)}
      <button class="${mine ? "reaction mine" : "reaction"}" aria-pressed="${String(mine)}">${shown}</button></form></li>`;
  })}</ul>`;
}

const EMOJI = ["👍", "🎉", "❤️", "👀", "✅", "😄"];

function menu(talk: Talk, message: ChatMessageView): Html {
  const { call } = talk;
  const { id, author_id, root_id } = message;
  // A change that was refused is shown again.
  const sent = call.params.messageId === id ? call.form.all("body_md")[0] : undefined;
  const typed = sent === undefined ? undefined : long(sent);
  const path = `${channelPath(call)}/messages/${id}`;
  const mine = author_id === call.visitor.user.id;
  return html`<div class="message-menu">
    <form class="row" method="post" action="${path}/react">${place(talk)}${EMOJI.map((emoji) => html`<button class="reaction" name="emoji" value="${emoji}" aria-label="React with ${emoji}">${emoji}</button>`)}</form>
    <p><a href="${channelPath(call)}?thread=${root_id ?? id}#reply">Reply in a thread</a></p>
    ${mine && !message.streaming ? html`<form class="writing" method="post" action="${path}/save">${revisionField(message)}${place(talk)}${mentionArea({ name: "body_md", label: "Change the message", rows: 4, required: true, prefix: `${id}-` }, { stored: message.body_md, typed })}<button class="second">Save</button></form>` : ""}
    ${mine || isAdmin(call.here.principal.role) ? askFirst({ ask: "Delete", about: "the message", action: `${path}/delete`, consequence: "The message is gone for everybody. Replies stay.", confirm: "Delete the message", fields: hidden("thread", talk.thread) }) : ""}</div>`;
}
