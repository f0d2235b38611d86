import type { Found } from "../../kernel/belongs.ts";
import type { Ctx, InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import { agentsNamed } from "../../kernel/handles.sql.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { lockEntity } from "../../kernel/locks.sql.ts";
import { mentionsIn as mentionsInText } from "../../kernel/mentions.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { membersAmong } from "../../tenancy/workspaces/members.sql.ts";
import { addMembers, type BareChannel } from "../chat/channels.sql.ts";
import { lockById as lockChannel, refuseArchived } from "../chat/channels.ts";
import { type ChannelRow, foundChannel } from "../chat/view.ts";
import { markAbout } from "../notifications/notifications.ts";
import { announceMessage } from "./announce.ts";
import { ChatMessageEntity, type Mention } from "./entities.ts";
import { messageCreated, messageDeleted, messageUpdated } from "./events.ts";
import type { ChatMessageCreateInput, ChatMessagePatchInput, ChatMessageQuery } from "./inputs.ts";
import { channelReadersAmong } from "./mentions.sql.ts";
import { findMessages, insertMessage, listMessages, markRead, messageOfClient, uncountReply } from "./messages.sql.ts";
import { deleteParts } from "./stream.sql.ts";
import { ChatMessageView, type MessageRow, messageView } from "./view.ts";

/** Messages of a channel. */

type InChannels = Pick<Ctx, "db"> & { workspace: { id: string } };

/**
 * Newest first. The newest page marks its messages as read by the caller. `around` begins with a page that has a message
 * in its middle; its cursors go on to older ones.
 * @throws Refusal invalid_parameter
 */
export async function listPage(ctx: InWorkspace, channel: ChannelRow, query: ChatMessageQuery, paging: Paging) {
  const root_id = query.root_id === undefined ? null : readId(query.root_id);
  if (query.root_id !== undefined && root_id === null) refuseId("root_id");
  const around = query.around === undefined ? null : readId(query.around);
  if (query.around !== undefined && around === null) refuseId("around");
  const window = around === null || paging.after ? null : { id: around, newer: Math.floor(paging.limit / 2) };
  const filter = { root_id, topLevel: query.top_level === "true", window };
  const rows = await listMessages(ctx, channel.id, filter, paging.after, paging.limit + 1);
  const [newest] = rows;
  const isNewestPage = paging.after === null && root_id === null && around === null && query.mark_read === "true";
  if (newest && isNewestPage && channel.unread_count > 0) await markRead(ctx, channel.id, newest.number);
  if (newest && isNewestPage) await markAbout(ctx, { channel_id: channel.id, upTo: newest.number });
  const page = pageOf(
    rows,
    paging,
    (row) => [row.number, row.id],
    ({ bytes }) => bytes,
  );
  return { rows: page.rows.map(messageView), next_cursor: page.next_cursor };
}

function refuseId(parameter: string): never {
  refuse("invalid_parameter", { message: `${parameter} must be the id of a message.`, parameter });
}

/** Returns a message that is not deleted. */
export async function read(ctx: InWorkspace, text: string, channel: ChannelRow): Promise<Found<MessageRow> | null> {
  const id = readId(text);
  const [row] = id ? await findMessages(ctx, [id]) : [];
  return row && row.channel_id === channel.id && !row.deleted_at ? foundChannel(ctx, channel, row) : null;
}

/** Locks the channel and a message, and returns them. @throws Refusal archived */
export async function lockMessage(
  ctx: InWorkspace & Writing,
  text: string,
  { id: channelId }: ChannelRow,
): Promise<Found<{ message: ChatMessageEntity; channel: ChannelRow }> | null> {
  const id = readId(text);
  const channel = (await lockChannel(ctx, channelId))?.object;
  if (!id || !channel) return null;
  // Parts of a streamed message lock the message only.
  const message = await lockEntity(ctx, ChatMessageEntity, { id, channel_id: channelId, deleted_at: null });
  if (!message) return null;
  refuseArchived(channel);
  return foundChannel(ctx, channel, { message, channel });
}

/**
 * Writes a message. Writing to a public channel makes the author a member. If the author already has a message with this
 * client id, that one is returned.
 * @throws Refusal not_found, archived, invalid_reference
 */
export async function create(
  ctx: InWorkspace & Writing,
  { id: channelId }: ChannelRow,
  { body_md, parent_id: ref = null, client_id = null }: ChatMessageCreateInput,
): Promise<ChatMessageView> {
  const channel = await enter(ctx, channelId);
  const present = client_id === null ? null : await messageOfClient(ctx, channelId, client_id);
  if (present) return viewOf(ctx, present);
  const { parent_id, root_id } = await threadOf(ctx, channel, ref);
  const id = newId();
  const mentions = await mentionsIn(ctx, channel, body_md);
  await insertMessage(ctx, {
    id,
    channel_id: channelId,
    body_md,
    mentions,
    parent_id,
    root_id,
    client_id,
    streamed: false,
  });
  const view = await viewOf(ctx, id);
  announceMessage(ctx, channel, messageCreated, view);
  await markAbout(ctx, { channel_id: channelId });
  return view;
}

/** Locks a channel that the caller writes to, and makes them a member. @throws Refusal not_found, archived */
export async function enter(ctx: InWorkspace & Writing, channelId: string): Promise<ChannelRow> {
  const channel = (await lockChannel(ctx, channelId))?.object ?? refuse("not_found");
  refuseArchived(channel);
  if (channel.my_role !== null) return channel;
  // The caller may have been removed during the wait, from the channel or from the workspace.
  if (channel.kind !== "public") refuse("not_found");
  const [member] = await membersAmong(ctx.db, ctx.workspace.id, [ctx.principal.user_id]);
  if (!member) refuse("not_found");
  await addMembers(ctx, channelId, [{ user_id: ctx.principal.user_id, role: "member" }]);
  return { ...channel, my_role: "member" };
}

/** The message that a new one answers, and the first one of its thread. @throws Refusal invalid_reference */
export async function threadOf(
  ctx: InWorkspace,
  channel: ChannelRow,
  ref: string | null,
): Promise<{ parent_id: string | null; root_id: string | null }> {
  if (ref === null) return { parent_id: null, root_id: null };
  const parent = (await read(ctx, ref, channel))?.object ?? refuseReference("/parent_id", ref);
  return { parent_id: parent.id, root_id: parent.root_id ?? parent.id };
}

/** Changes the text. A call that changes nothing records nothing. @throws Refusal not_owner_of_resource, invalid_state_change */
export async function change(
  ctx: InWorkspace & Writing,
  { message, channel }: { message: ChatMessageEntity; channel: ChannelRow },
  { body_md }: ChatMessagePatchInput,
): Promise<ChatMessageView> {
  if (message.author_id !== ctx.principal.user_id) {
    refuse("not_owner_of_resource", { message: "Only its author can change a message. An admin can delete it." });
  }
  const before = await viewOf(ctx, message.id);
  if (body_md === undefined || body_md === before.body_md) return before;
  if (message.stream_status === "open") {
    refuse("invalid_state_change", { message: "The message is still being written. Finish the stream first." });
  }
  const mentions = await mentionsIn(ctx, channel, body_md);
  Object.assign(message, { body_md, mentions, edited_at: ctx.now, updated_at: ctx.now });
  await ctx.em.flush();
  const view = await viewOf(ctx, message.id);
  announceMessage(ctx, channel, messageUpdated, view, { before });
  return view;
}

/** Deletes a message. One that has replies stays, without its text. @throws Refusal not_owner_of_resource */
export async function remove(
  ctx: InWorkspace & Writing,
  { message, channel }: { message: ChatMessageEntity; channel: ChannelRow },
): Promise<{ id: string; deleted: true }> {
  if (message.author_id !== ctx.principal.user_id && !isAdmin(ctx.principal.role)) refuse("not_owner_of_resource");
  const { id } = message;
  const last = await viewOf(ctx, id);
  const isOpen = message.stream_status === "open";
  if (isOpen) await deleteParts(ctx, id);
  const closed = isOpen ? { stream_status: "done" as const } : {};
  Object.assign(message, { deleted_at: ctx.now, updated_at: ctx.now, body_md: "", mentions: [], ...closed });
  await ctx.em.flush();
  await uncountReply(ctx, last);
  announceMessage(ctx, channel, messageDeleted, last);
  return { id, deleted: true };
}

/** The people whom a text mentions and who can read the channel. */
export async function mentionsIn(ctx: InChannels, channel: BareChannel, text: string): Promise<Mention[]> {
  const named = mentionsInText(text);
  const agents = await agentsNamed(ctx.db, ctx.workspace.id, named.handles);
  const ids = [...new Set([...named.ids, ...agents.values()])];
  const readers = ids.length === 0 ? [] : await channelReadersAmong(ctx, channel, ids);
  return readers.map(({ id, kind }) => ({ id, kind }));
}

export async function viewOf(ctx: InChannels, id: string): Promise<ChatMessageView> {
  const [row] = await findMessages(ctx, [id]);
  return ChatMessageView.parse(messageView(row!));
}
