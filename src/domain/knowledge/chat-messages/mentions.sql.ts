import { type Reader, readersAmong } from "../../access/identity/readers.sql.ts";
import type { Ctx } from "../../kernel/context.ts";
import type { BareChannel } from "../chat/channels.sql.ts";

/** The people among these ids who can read a channel. */
export async function channelReadersAmong(
  ctx: Pick<Ctx, "db"> & { workspace: { id: string } },
  channel: BareChannel,
  ids: readonly string[],
): Promise<Reader[]> {
  const { project_id, project_scoped } = channel;
  const project = project_id === null ? null : { id: project_id, scoped: project_scoped === true };
  const readers = await readersAmong(ctx, project, ids);
  if (channel.kind === "public") return readers;
  const text = `select user_id from chat_member where channel_id = $1 and user_id = any($2::uuid[])`;
  const members = await ctx.db.query<{ user_id: string }>({ name: "channel_members_among", text }, [channel.id, ids]);
  const present = new Set(members.map(({ user_id }) => user_id));
  return readers.filter(({ id }) => present.has(id));
}
