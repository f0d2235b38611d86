import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import type { ChatChannelMemberView, ChatChannelView } from "../../../domain/knowledge/chat/view.ts";
import type { People } from "../issue/read.ts";
import { hidden, select } from "../kit/fields.ts";
import { person } from "../kit/people.ts";
import { act } from "../kit/pieces.ts";
import { askFirst } from "../site/confirm.ts";
import type { WorkspaceCall } from "../site/site.ts";
import { channelPath } from "./read.ts";

/** Who is in a channel: for those who manage it, with the ways in and out. */

export const managesChannel = (call: WorkspaceCall, { kind, my_role }: ChatChannelView): boolean =>
  kind !== "dm" && (my_role === "owner" || isAdmin(call.here.principal.role));

type About = { channel: ChatChannelView; members: readonly ChatChannelMemberView[]; people: People };

export function membersPart(call: WorkspaceCall, { channel, members, people }: About): Html {
  const path = channelPath(call);
  const manages = managesChannel(call, channel) && channel.archived_at === null;
  const others = [...people.values()].filter(({ id }) => !members.some(({ user_id }) => user_id === id));
  const { kind, is_member } = channel;
  const mine = members.find(({ user_id }) => user_id === call.visitor.user.id);
  return html`<ul class="plain-list members">${members.map(
    (member) =>
      html`<li>${person({ id: member.user_id, name: member.name, kind: member.kind === "agent" ? "agent" : "user" })}${member.role === "owner" ? html` <span class="quiet">owner</span>` : ""}
        ${manages && member.user_id !== call.visitor.user.id ? removeForm(path, channel, member) : ""}</li>`,
  )}</ul>
    ${channel.member_count > members.length ? html`<p class="quiet">Only the newest members are shown.</p>` : ""}
    ${manages && others.length > 0 ? addForm(path, others) : ""}
    ${kind === "public" && !is_member && channel.archived_at === null ? act(`${path}/join`, "Join") : ""}
    ${is_member && mine ? act(`${path}/mute`, mine.muted ? "Unmute" : "Mute", { fields: hidden("muted", String(!mine.muted)) }) : ""}
    ${kind !== "dm" && is_member ? askFirst({ ask: "Leave", about: channel.name ?? "", action: `${path}/leave`, consequence: kind === "private" ? "You no longer see the channel, until somebody adds you again." : "You can join again.", confirm: "Leave the channel" }) : ""}`;
}

const addForm = (path: string, others: readonly { id: string; name: string | null; kind: string }[]): Html =>
  html`<form class="row check-in" method="post" action="${path}/add">${select({
    name: "user_id",
    label: "Add somebody",
    required: true,
    options: others.map(({ id, name, kind }) => ({
      value: id,
      label: `${name ?? "Someone"}${kind === "agent" ? " (agent)" : ""}`,
    })),
  })}<button class="second">Add</button></form>`;

const removeForm = (path: string, { kind }: ChatChannelView, { user_id, name }: ChatChannelMemberView): Html =>
  askFirst({
    ask: "Remove",
    about: name ?? "this member",
    action: `${path}/remove`,
    consequence:
      kind === "private"
        ? "They no longer see the channel and what was said in it."
        : "They can join again, because everybody may.",
    confirm: `Remove ${name ?? "this member"}`,
    fields: hidden("user_id", user_id),
  });
