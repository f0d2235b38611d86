import { opening, visibleTo } from "../../access/identity/visible.sql.ts";
import type { Ctx } from "../../kernel/context.ts";
import type { BareChannel } from "../chat/channels.sql.ts";
import type { Mention } from "./entities.ts";

/** The people among these ids who can read a channel. */
export function readersAmong(
  { db, workspace }: Pick<Ctx, "db"> & { workspace: { id: string } },
  channel: BareChannel,
  ids: string[],
): Promise<Mention[]> {
  const { project_id, project_scoped } = channel;
  const project = project_id === null ? null : { id: project_id, scoped: project_scoped === true };
  return db.query<Mention>(
    {
      name: `channel_readers_${project !== null}`,
      text: `
        select u.id, case u.kind when 'agent' then 'agent' else 'user' end as kind from app_user u
        join member m on m.user_id = u.id and m.workspace_id = $1 and m.status = 'active'
        where u.id = any($2::uuid[])
          and ($3::text = 'public' or exists (
            select from chat_member c where c.channel_id = $4::uuid and c.user_id = u.id))
          and ${project ? visibleTo(5) : "m.role <> 'guest'"}`,
    },
    [workspace.id, ids, channel.kind, channel.id, ...(project ? opening(project) : [])],
  );
}
