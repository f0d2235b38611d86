import { z } from "zod";
import { USER_KINDS } from "../../access/identity/kind.sql.ts";
import { foundIn, type WithProject } from "../../access/identity/project-access.sql.ts";
import type { Audience, Found } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { part, view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutChannel, aboutChannelMember, aboutChannelMemberRemoved, aboutOther } from "./descriptions.ts";
import { CHANNEL_KINDS } from "./entities.ts";

const count = z.number().int();
const role = z.enum(["owner", "member"]);

export const ChatChannelView = view("ChatChannel", aboutChannel, {
  id,
  kind: z.enum(CHANNEL_KINDS),
  name: z.string().nullable(),
  slug: z.string().nullable(),
  topic: z.string().nullable(),
  created_by: id,
  archived_at: timestamp.nullable(),
  last_message_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  member_count: count,
  is_member: z.boolean(),
  project_id: id.nullable(),
  unread_count: count,
  my_role: role.nullable(),
  others: z.array(part(aboutOther, { user_id: id, name: z.string().nullable(), kind: z.enum(USER_KINDS) })).nullable(),
});
export type ChatChannelView = z.output<typeof ChatChannelView>;

/** A channel with its project and what the caller is in it, as reads return it. */
export type ChannelRow = WithProject & Omit<ChatChannelView, "is_member">;

/** A channel as the caller sees it. */
export const channelView = (row: ChannelRow): ChatChannelView => ({ ...row, is_member: row.my_role !== null });

/**
 * A channel with its project and audience, for the engine to check. Guests see channels of their projects only. Private
 * channels and direct messages exist for their members only.
 */
export function foundChannel<T>({ principal }: InWorkspace, row: ChannelRow, object: T): Found<T> {
  return foundIn(row, object, audienceOf(row, principal.user_id));
}

function audienceOf({ kind, project_id, my_role }: ChannelRow, userId: string): Audience {
  if (kind === "public") return project_id === null ? "members" : "everyone";
  return { people: my_role === null ? [] : [userId] };
}

export const ChatChannelMemberView = view("ChatChannelMember", aboutChannelMember, {
  user_id: id,
  role,
  joined_at: timestamp,
  name: z.string().nullable(),
  kind: z.enum(USER_KINDS),
  muted: z.boolean().nullable(),
});
export type ChatChannelMemberView = z.output<typeof ChatChannelMemberView>;

export const ChatChannelMemberRemoved = part(aboutChannelMemberRemoved, {
  channel_id: id,
  user_id: id,
  removed: z.literal(true),
});
