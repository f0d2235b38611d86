import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isEditor } from "../../../domain/kernel/roles.ts";
import type { ChatChannelView } from "../../../domain/knowledge/chat/view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { allProjects } from "../docs/read.ts";
import { allPeople } from "../issue/read.ts";
import { choices, select, textField } from "../kit/fields.ts";
import { adding, badge, empty, pager } from "../kit/pieces.ts";
import { ago } from "../kit/times.ts";
import { onceField } from "../site/once.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { channelPath, chatPath, nameOf } from "./read.ts";

/** The channels and direct messages of a person. */
export async function listPage(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const archived = call.query("archived") === "true";
  const [channels, people, projects] = await Promise.all([
    site.list<ChatChannelView>(call, "chat-channels.list", {
      query: { limit: "50", cursor: call.query("cursor"), archived: String(archived) },
    }),
    allPeople(site, call),
    archived ? [] : allProjects(site, call),
  ]);
  const named = channels.data.map((channel) => ({ channel, name: nameOf(channel) }));
  const base = chatPath(call);
  const ofKind = (isDm: boolean) => named.filter(({ channel }) => (channel.kind === "dm") === isDm);
  const others = [...people.values()].filter(({ id }) => id !== call.visitor.user.id);
  return {
    title: "Chat",
    status: refusal?.status ?? 200,
    live: { kinds: ["chat"] },
    body: html`<h1>${archived ? "Archived channels" : "Chat"}</h1>${refusal ? problemBox(refusal) : ""}
      ${named.length === 0 ? empty(archived ? "Nothing is archived" : "No channels yet", "A channel is for what a team talks about; agents can be in it, too.") : ""}
      ${section(call, "Channels", ofKind(false))}${section(call, "Direct messages", ofKind(true))}
      ${pager(channels.next === null ? null : `${base}?archived=${archived}&cursor=${channels.next}`, { first: base, isFirst: call.query("cursor") === "", what: "channels" })}
      ${archived ? "" : forms(call, { others, projects }, refusal)}
      <p>${archived ? html`<a href="${base}">All channels</a>` : html`<a class="quiet" href="${base}?archived=true">Archived channels</a>`}</p>`,
  };
}

type Named = { channel: ChatChannelView; name: string };

const section = (call: WorkspaceCall, title: string, all: readonly Named[]): Html =>
  all.length === 0
    ? html``
    : html`<section aria-labelledby="${title.slice(0, 4)}"><h2 id="${title.slice(0, 4)}">${title}</h2><ul class="lines">${all
        .toSorted((a, b) => (b.channel.last_message_at ?? "").localeCompare(a.channel.last_message_at ?? ""))
        .map((one) => line(call, one))}</ul></section>`;

const line = (call: WorkspaceCall, { channel, name }: Named): Html =>
  html`<li class="issue-line"><a class="issue-title" dir="auto" href="${channelPath(call, channel.id)}">${channel.unread_count > 0 ? html`<strong>${name}</strong>` : name}</a>
    ${channel.kind === "private" ? badge("Private", "quiet") : ""}${channel.unread_count > 0 ? badge(`${channel.unread_count} new`, "good") : ""}
    <span class="quiet">${channel.last_message_at === null ? "no messages" : ago(channel.last_message_at, call.here.now)}</span></li>`;

const KINDS = [
  { value: "public", label: "Everybody can find and join it" },
  { value: "private", label: "Only those who are added see it" },
];

type Known = { others: readonly { id: string; name: string | null; kind: string }[]; projects: readonly ProjectView[] };

function forms(call: WorkspaceCall, { others, projects }: Known, refusal?: Refusal): Html {
  const { form } = call;
  const base = chatPath(call);
  const create = html`<form class="writing" method="post" action="${base}/new/create">${onceField()}
    ${textField({ name: "name", label: "Name", value: form.text("name"), required: true, max: 80, refusal })}
    ${textField({ name: "topic", label: "Topic", value: form.text("topic"), max: 280, refusal })}
    ${select({ name: "kind", label: "Who sees it", value: form.text("kind"), options: KINDS, required: true, refusal })}
    ${projects.length === 0 ? "" : select({ name: "project", label: "Project", value: form.text("project"), options: projects.map(({ key, name }) => ({ value: key, label: name })), none: "None: everybody in the workspace", refusal, hint: "A channel of a project is for those who see the project." })}<button>Create</button></form>`;
  const direct = html`<form class="writing" method="post" action="${base}/new/dm">${onceField()}
    <div class="long-choices" tabindex="0" role="group" aria-label="People">${choices({ name: "user_ids", label: "To one or more people", options: others.map(({ id, name, kind }) => ({ value: id, label: `${name ?? "Someone"}${kind === "agent" ? " (agent)" : ""}` })), values: form.all("user_ids"), refusal })}</div><button>Open</button></form>`;
  return html`${isEditor(call.here.principal.role) ? adding("New channel", create, { open: refusal !== undefined && form.text("name") !== "" }) : ""}
    ${others.length > 0 ? adding("New direct message", direct, { open: refusal !== undefined && form.all("name").length === 0 }) : ""}`;
}
