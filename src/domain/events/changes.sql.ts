import type { Db } from "../kernel/ports/ports.ts";

/** What an event is about, without what it says. */
export type Change = {
  id: string;
  type: string;
  project_id: string | null;
  issue_id: string | null;
  /** The only person who may see it. */
  person_id: string | null;
  /** The channel of a message. */
  channel_id: string | null;
  /** Only readers of the channel may see it. */
  is_private: boolean;
  actor_id: string | null;
};

const READ = {
  name: "read_changes",
  text: `
    select e.id, e.type, e.project_id, e.issue_id, e.person_id, e.actor_id, e.channel_id is not null as is_private,
           coalesce(e.channel_id, case when e.type like 'chat.%' then (e.data ->> 'channel_id')::uuid end) as channel_id
    from event e where e.workspace_id = $1 and e.id >= $2 order by e.id limit $3`,
};

/** The events of a workspace from one on, at most `limit`. */
export const readChanges = (db: Db, workspaceId: string, since: string, limit: number): Promise<Change[]> =>
  db.query<Change>(READ, [workspaceId, since, limit]);
