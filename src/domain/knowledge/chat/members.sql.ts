import { kindOf } from "../../access/identity/kind.sql.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { ChatChannelMemberView } from "./view.ts";

const columns = `
  m.user_id, m.role, m.joined_at, u.name, ${kindOf("u")} as kind, m.muted_at is not null as muted`;

/** Members of a channel, most recently joined first. */
export function listMembers(
  { db, workspace }: InWorkspace,
  channelId: string,
  after: Cursor | null,
  limit: number,
): Promise<ChatChannelMemberView[]> {
  return db.query<ChatChannelMemberView>(
    {
      name: `list_channel_members${after ? "_after" : ""}`,
      text: `
        select ${columns} from chat_member m join app_user u on u.id = m.user_id
        where m.workspace_id = $1 and m.channel_id = $2
          ${after ? "and (m.joined_at, m.user_id) < ($4::timestamptz, $5::uuid)" : ""}
        order by m.joined_at desc, m.user_id desc limit $3`,
    },
    [workspace.id, channelId, limit, ...(after ?? [])],
  );
}

export async function findMember(
  { db, workspace }: InWorkspace,
  channelId: string,
  userId: string,
): Promise<ChatChannelMemberView | null> {
  const [row] = await db.query<ChatChannelMemberView>(
    {
      name: "find_channel_member",
      text: `
        select ${columns} from chat_member m join app_user u on u.id = m.user_id
        where m.workspace_id = $1 and m.channel_id = $2 and m.user_id = $3`,
    },
    [workspace.id, channelId, userId],
  );
  return row ?? null;
}

/** Mutes a channel for the caller, or ends that. */
export async function muteForOneself(ctx: InWorkspace, channelId: string, muted: boolean): Promise<void> {
  await ctx.db.query(
    {
      name: "mute_channel",
      text: `
        update chat_member set muted_at = case when $4::boolean then coalesce(muted_at, $5::timestamptz) end
        where workspace_id = $1 and channel_id = $2 and user_id = $3`,
    },
    [ctx.workspace.id, channelId, ctx.principal.user_id, muted, ctx.now],
  );
}

/** Removes a direct message from the caller's list, or brings it back. */
export async function hideForOneself(ctx: InWorkspace, channelId: string, hidden: boolean): Promise<void> {
  await ctx.db.query(
    {
      name: "hide_channel",
      text: `
        update chat_member set hidden_at = case when $4::boolean then coalesce(hidden_at, $5::timestamptz) end
        where workspace_id = $1 and channel_id = $2 and user_id = $3`,
    },
    [ctx.workspace.id, channelId, ctx.principal.user_id, hidden, ctx.now],
  );
}
