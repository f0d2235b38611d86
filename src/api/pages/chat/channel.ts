import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import type { ChatChannelMemberView, ChatChannelView } from "../../../domain/knowledge/chat/view.ts";
import type { ChatMessageView } from "../../../domain/knowledge/chat-messages/view.ts";
import { hidden, textArea, textField } from "../kit/fields.ts";
import { person } from "../kit/people.ts";
import { act, badge, crumbs, fold } from "../kit/pieces.ts";
import { long } from "../kit/typed.ts";
import { revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import { notice } from "../site/layout.ts";
import { onceField } from "../site/once.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { messagePart, type Talk } from "./message.ts";
import { channelPath, chatPath, inPath, nameOf, peopleOf, readMembers } from "./read.ts";

/** A channel: its messages, the oldest first, and the form that adds one. Or one of its threads. */
export async function channelPage(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const params = inPath(call);
  const thread = call.query("thread") || call.form.text("thread");
  const cursor = call.query("cursor");
  const query = { limit: "50", cursor, ...(thread === "" ? { top_level: "true" } : { root_id: thread }) };
  const list = (query: Record<string, string>) =>
    site.list<ChatMessageView>(call, "chat-messages.list", { params, query });
  const [channel, messages, members, newest] = await Promise.all([
    site.perform<ChatChannelView>(call, "chat-channels.get", { params }),
    list(query),
    readMembers(site, call, params.channelId),
    // No operation reads one message, so the first one of a thread is looked for among the newest.
    thread === "" ? null : list({ limit: "100", top_level: "true" }),
  ]);
  const first = newest?.data.find(({ id }) => id === thread);
  const people = await peopleOf(site, call, { members, messages: first ? [first, ...messages.data] : messages.data });
  const talk: Talk = { call, people, thread, mayWrite: channel.archived_at === null };
  const name = nameOf(call, channel, members);
  const path = channelPath(call);
  const older = new URLSearchParams({ ...(thread === "" ? {} : { thread }), cursor: messages.next ?? "" });
  return {
    title: thread === "" ? name : `Thread in ${name}`,
    status: refusal?.status ?? 200,
    live: { channel: channel.id, kinds: ["chat"] },
    body: html`${crumbs([chatPath(call), "Chat"], ...(thread === "" ? [] : [[path, name] as const]))}
      <h1 dir="auto">${thread === "" ? name : "Thread"}</h1>
      ${refusal ? problemBox(refusal) : ""}
      ${thread === "" ? about(channel) : ""}
      ${channel.archived_at === null ? "" : notice("info", "This channel is archived. It can be read, but nobody can write to it.")}
      <div class="talk-list">${messages.next === null ? "" : html`<p><a href="${path}?${String(older)}" rel="next">Older messages</a></p>`}
      ${messages.data.length === 0 && !first ? html`<p class="quiet">Nobody has written anything yet.</p>` : ""}
      ${first && messages.next === null ? messagePart(talk, first) : ""}
      ${messages.data.toReversed().map((message) => messagePart(talk, message))}
      ${cursor === "" ? "" : html`<p><a href="${path}${thread === "" ? "" : `?thread=${thread}`}">Newest messages</a></p>`}
      ${talk.mayWrite && cursor === "" ? writeForm(call, thread, refusal) : ""}</div>
      ${thread === "" ? channelFold(call, channel, members) : ""}`,
  };
}

const about = ({ topic, kind, member_count, is_member }: ChatChannelView): Html =>
  html`<p class="goal-facts">${topic ? html`<span dir="auto">${topic}</span>` : ""}<span class="quiet">${counted(member_count, "member")}</span>
    ${kind === "private" ? badge("Private", "quiet") : ""}${is_member ? "" : html`<span class="quiet">You are not in this channel; writing in it makes you a member.</span>`}</p>`;

const writeForm = (call: WorkspaceCall, thread: string, refusal: Refusal | undefined): Html =>
  html`<form class="writing" id="reply" method="post" action="${channelPath(call)}/write">${onceField()}${thread === "" ? "" : hidden("thread", thread)}
    ${textArea({ name: "body_md", label: thread === "" ? "Message" : "Reply", value: refusal && call.params.messageId === undefined ? long(call.form.all("body_md")[0] ?? "") : "", rows: 3, required: true, refusal })}
    <button>Send</button></form>`;

function channelFold(call: WorkspaceCall, channel: ChatChannelView, members: readonly ChatChannelMemberView[]): Html {
  const path = channelPath(call);
  const manages = channel.kind !== "dm" && (channel.my_role === "owner" || isAdmin(call.here.principal.role));
  return fold(
    "About this channel",
    html`<ul class="plain-list">${members.map(
      ({ user_id, name, kind, role }) =>
        html`<li>${person({ id: user_id, name, kind: kind === "agent" ? "agent" : "user" })}${role === "owner" ? html` <span class="quiet">owner</span>` : ""}</li>`,
    )}</ul>
    ${channel.kind === "public" && !channel.is_member && channel.archived_at === null ? act(`${path}/join`, "Join") : ""}
    ${channel.kind !== "dm" && channel.is_member ? askFirst({ ask: "Leave", about: channel.name ?? "", action: `${path}/leave`, consequence: channel.kind === "private" ? "You no longer see the channel, until somebody adds you again." : "You can join again.", confirm: "Leave the channel" }) : ""}
    ${
      manages && channel.archived_at === null
        ? html`<form class="writing" method="post" action="${path}/save">${revisionField(channel)}
          ${textField({ name: "name", label: "Name", value: channel.name, required: true, max: 80 })}
          ${textField({ name: "topic", label: "Topic", value: channel.topic, max: 280 })}<button class="second">Save</button></form>
          ${askFirst({ ask: "Archive", about: channel.name ?? "", action: `${path}/archive`, consequence: "Nobody can write to the channel any more. Its messages stay.", confirm: "Archive the channel" })}`
        : ""
    }
    ${manages && channel.archived_at !== null ? act(`${path}/restore`, "Bring it back") : ""}`,
  );
}
