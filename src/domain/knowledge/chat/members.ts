import type { z } from "zod";
import { accessChanged } from "../../access/identity/access-changed.ts";
import type { Found } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { userInPath } from "../../tenancy/workspaces/in-path.ts";
import { addMembers, removeMember } from "./channels.sql.ts";
import { checkManages, lockById, refuseArchived } from "./channels.ts";
import type { ChatChannelMemberInput, ChatChannelMemberPatchInput } from "./inputs.ts";
import { findMember, listMembers, muteForOneself } from "./members.sql.ts";
import { peopleNamed } from "./people.ts";
import { type ChannelRow, type ChatChannelMemberRemoved, type ChatChannelMemberView, foundChannel } from "./view.ts";

/** Members of a channel. */

/** Most recently joined first. */
export async function listPage(ctx: InWorkspace, channel: ChannelRow, paging: Paging) {
  const rows = await listMembers(ctx, channel.id, paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, ({ joined_at, user_id }) => [joined_at, user_id]);
  return { ...page, rows: page.rows.map((row) => asSeenBy(ctx, row)) };
}

/** Whether others have muted the channel is theirs to know. */
const asSeenBy = ({ principal }: InWorkspace, member: ChatChannelMemberView): ChatChannelMemberView =>
  member.user_id === principal.user_id ? member : { ...member, muted: null };

/**
 * Adds somebody. Everybody may join a public channel; others are added by the channel's owners and by admins. Adding a
 * member again changes nothing.
 * @throws Refusal invalid_reference, insufficient_role, archived, not_found
 */
export async function add(
  ctx: InWorkspace & Writing,
  { id }: ChannelRow,
  { user_id: ref }: ChatChannelMemberInput,
): Promise<ChatChannelMemberView> {
  await lockWorkspace(ctx, ctx.workspace.id);
  // The channel may have changed during the wait, and the caller may have been removed.
  const channel = (await lockById(ctx, id))?.object ?? refuse("not_found");
  if (channel.kind !== "public" && channel.my_role === null) refuse("not_found");
  const project =
    channel.project_id === null ? null : { id: channel.project_id, scoped: channel.project_scoped === true };
  const [userId] = await peopleNamed(ctx, [ref], project, () => "/user_id");
  const present = await findMember(ctx, id, userId!);
  if (present) return asSeenBy(ctx, present);
  if (channel.kind === "dm")
    refuse("insufficient_role", { message: "A direct message keeps its people. Open another." });
  refuseArchived(channel);
  if (userId !== ctx.principal.user_id) checkManages(ctx, channel);
  await addMembers(ctx, id, [{ user_id: userId!, role: "member" }]);
  return asSeenBy(ctx, (await findMember(ctx, id, userId!))!);
}

/** Locks the channel and returns a member whom a path names by id, e-mail or `me`. */
export async function lockMember(
  ctx: InWorkspace & Writing,
  text: string,
  { id }: ChannelRow,
): Promise<Found<ChatChannelMemberView> | null> {
  const channel = await lockById(ctx, id);
  return channel && read(ctx, text, channel.object);
}

/** Returns a member of the channel. */
export async function read(
  ctx: InWorkspace,
  text: string,
  channel: ChannelRow,
): Promise<Found<ChatChannelMemberView> | null> {
  const userId = await userInPath(ctx, text);
  const member = userId && (await findMember(ctx, channel.id, userId));
  return member ? foundChannel(ctx, channel, asSeenBy(ctx, member)) : null;
}

/** Mutes the channel for the caller, or ends that. @throws Refusal insufficient_role */
export async function change(
  ctx: InWorkspace & Writing,
  channel: ChannelRow,
  member: ChatChannelMemberView,
  { muted }: ChatChannelMemberPatchInput,
): Promise<ChatChannelMemberView> {
  if (muted === undefined || muted === null || muted === member.muted) return member;
  if (member.user_id !== ctx.principal.user_id) {
    refuse("insufficient_role", { message: "Everybody mutes a channel for themselves only." });
  }
  await muteForOneself(ctx, channel.id, muted);
  return { ...member, muted };
}

/** Removes a member. Everybody may leave; others are removed by the channel's owners and by admins. */
export async function remove(
  ctx: InWorkspace & Writing,
  channel: ChannelRow,
  { user_id }: ChatChannelMemberView,
): Promise<z.output<typeof ChatChannelMemberRemoved>> {
  if (user_id !== ctx.principal.user_id) checkManages(ctx, channel);
  await removeMember(ctx, user_id, [channel.id]);
  accessChanged(ctx, ctx.workspace.id, user_id);
  return { channel_id: channel.id, user_id, removed: true };
}
