import { counted } from "../../../domain/kernel/counted.ts";
import { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { ChatChannelMemberView, ChatChannelView } from "../../../domain/knowledge/chat/view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { MARKDOWN } from "../issue/mentions.ts";
import { allPeople, type People, unlessRefused } from "../issue/read.ts";
import { hidden, textArea, textField } from "../kit/fields.ts";
import { act, badge, crumbs, fold } from "../kit/pieces.ts";
import { long } from "../kit/typed.ts";
import { writtenAll } from "../kit/written.ts";
import { revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import { notice } from "../site/layout.ts";
import { onceField } from "../site/once.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { isSeen } from "../site/unread.ts";
import { managesChannel, membersPart } from "./members.ts";
import { messagePart, shownOf, type Talk } from "./message.ts";
import { readMessage, readMessages, type Shown, type Wanted, wantedOf } from "./messages.ts";
import { channelPath, chatPath, inPath, messagePath, nameOf, peopleOf, readMembers } from "./read.ts";

/** A channel: its messages, the oldest first, and the form that adds one. Or one of its threads. */
export async function channelPage(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const params = inPath(call);
  let wanted = wantedOf(call);
  const [channel, linked, members] = await Promise.all([
    site.perform<ChatChannelView>(call, "chat-channels.get", { params }),
    wanted.message === "" ? undefined : readMessage(site, call, wanted.message),
    readMembers(site, call, params.channelId),
  ]);
  // A reply is in its thread.
  if (linked?.root_id && wanted.thread === "") return { to: messagePath(call, linked.id, linked.root_id) };
  const isGone = wanted.message !== "" && !linked;
  if (isGone || linked?.id === wanted.thread) wanted = { ...wanted, message: "" };
  const shown = await readMessages(site, call, wanted);
  const { thread } = wanted;
  const manages = managesChannel(call, channel);
  const messages = shown.first ? [shown.first, ...shown.data] : shown.data;
  const [people, project, texts] = await Promise.all([
    manages && thread === "" ? allPeople(site, call) : peopleOf(site, call, { members, messages }),
    channel.project_id === null || thread !== ""
      ? null
      : unlessRefused(site.perform<ProjectView>(call, "projects.get", { params: { key: channel.project_id } }), null),
    writtenAll(
      call.here,
      messages.map((message) => shownOf(call, message).text),
    ),
    markRead(site, call, { channel, isNewest: thread === "" && !shown.hasNewer }),
  ]);
  const name = nameOf(channel);
  const path = channelPath(call);
  return {
    title: thread === "" ? name : `Thread in ${name}`,
    status: refusal?.status ?? 200,
    seen:
      thread === "" && !shown.hasNewer
        ? { channel_id: channel.id }
        : { message_ids: messages.map(({ id }) => id).join(",") },
    live: { channel: channel.id, kinds: ["chat"] },
    body: html`${crumbs([chatPath(call), "Chat"], ...(thread === "" ? [] : [[path, name] as const]))}
      <h1 dir="auto">${thread === "" ? name : "Thread"}</h1>
      ${refusal ? problemBox(refusal) : ""}${isGone ? notice("info", "This message was deleted. These are the newest ones.") : ""}
      ${thread === "" ? about(call, channel, project) : ""}
      ${channel.archived_at === null ? "" : notice("info", "This channel is archived. It can be read, but nobody can write to it.")}
      ${talkPart(call, { channel, wanted, shown, people, texts, refusal })}
      ${thread === "" ? channelFold(call, { channel, members, people, manages }) : ""}`,
  };
}

/** Also replies, which the page of a channel does not show. */
async function markRead(
  site: Site,
  call: WorkspaceCall,
  { channel, isNewest }: { channel: ChatChannelView; isNewest: boolean },
): Promise<void> {
  if (!isNewest || !channel.is_member || channel.unread_count === 0 || !isSeen(call)) return;
  try {
    await site.perform(call, "chat-messages.read", { params: inPath(call), body: {} });
  } catch (error) {
    // A workspace that takes no changes can be read nevertheless.
    if (!(error instanceof Refusal)) throw error;
  }
}

type About = {
  channel: ChatChannelView;
  wanted: Wanted;
  shown: Shown;
  people: People;
  texts: Talk["texts"];
  refusal: Refusal | undefined;
};

function talkPart(call: WorkspaceCall, { channel, wanted, shown, people, texts, refusal }: About): Html {
  const { data, first, next, hasNewer } = shown;
  const { thread, message } = wanted;
  const talk: Talk = {
    call,
    people,
    texts,
    thread,
    older: hasNewer || message !== "",
    mayWrite: channel.archived_at === null,
  };
  // In the surroundings of a message, the next ones are those of the outermost one.
  const older = new URLSearchParams({
    ...(thread === "" ? {} : { thread }),
    ...(message === "" ? { cursor: next ?? "" } : { at: data.at(-1)?.id ?? "" }),
  });
  const newest = `${channelPath(call)}${thread === "" ? "" : `?thread=${encodeURIComponent(thread)}`}`;
  const [latest] = data;
  return html`<div class="talk-list">${next === null ? "" : html`<p><a href="${channelPath(call)}?${String(older)}" rel="next">Older messages</a></p>`}
    ${data.length === 0 && !first ? html`<p class="quiet">Nobody has written anything yet.</p>` : ""}
    ${first && next === null ? messagePart(talk, first) : ""}
    ${data.toReversed().map((one) => messagePart(talk, one))}
    ${hasNewer ? html`<p class="row">${latest ? html`<a href="${messagePath(call, latest.id, thread)}" rel="prev">Newer messages</a>` : ""}<a href="${newest}">Newest messages</a></p>` : ""}
    ${talk.mayWrite && !hasNewer ? writeForm(call, thread, refusal) : ""}</div>`;
}

const about = (
  call: WorkspaceCall,
  { topic, kind, member_count, is_member }: ChatChannelView,
  project: ProjectView | null,
): Html =>
  html`<p class="goal-facts">${topic ? html`<span dir="auto">${topic}</span>` : ""}<span class="quiet">${counted(member_count, "member")}</span>
    ${kind === "private" ? badge("Private", "quiet") : ""}${project === null ? "" : html`<a dir="auto" href="/w/${call.here.workspace.slug}/p/${project.slug}">${project.name}</a>`}
    ${is_member ? "" : html`<span class="quiet">You are not in this channel; writing in it makes you a member.</span>`}</p>`;

const writeForm = (call: WorkspaceCall, thread: string, refusal: Refusal | undefined): Html =>
  html`<form class="writing" id="reply" method="post" action="${channelPath(call)}/write">${onceField()}${thread === "" ? "" : hidden("thread", thread)}
    ${textArea({ name: "body_md", label: thread === "" ? "Message" : "Reply", value: refusal && call.params.messageId === undefined ? long(call.form.all("body_md")[0] ?? "") : "", rows: 3, required: true, hint: MARKDOWN, refusal })}
    <button>Send</button></form>`;

type Channel = {
  channel: ChatChannelView;
  members: readonly ChatChannelMemberView[];
  people: People;
  manages: boolean;
};

function channelFold(call: WorkspaceCall, { channel, members, people, manages }: Channel): Html {
  const path = channelPath(call);
  const isLive = channel.archived_at === null;
  return fold(
    "About this channel",
    html`${membersPart(call, { channel, members, people })}
    ${
      manages && isLive
        ? html`<form class="writing" method="post" action="${path}/save">${revisionField(channel)}
          ${textField({ name: "name", label: "Name", value: channel.name, required: true, max: 80 })}
          ${textField({ name: "topic", label: "Topic", value: channel.topic, max: 280 })}<button class="second">Save</button></form>
          ${askFirst({ ask: "Archive", about: channel.name ?? "", action: `${path}/archive`, consequence: "Nobody can write to the channel any more. Its messages stay.", confirm: "Archive the channel" })}`
        : ""
    }
    ${manages && !isLive ? act(`${path}/restore`, "Restore") : ""}`,
    { open: call.query("about") !== "" },
  );
}
