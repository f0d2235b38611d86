import { VISIBLE_TO_MEMBER } from "../../access/identity/visible.sql.ts";
import type { EventRow } from "../../events/message.ts";
import type { Db } from "../../kernel/ports/ports.ts";

/** Stored frames of agents. An agent belongs to one workspace. */

export type FrameRow = {
  seq: number;
  id: string;
  name: string;
  project_id: string | null;
  context: object;
  /** null if the agent can no longer see the object. */
  event: EventRow | null;
};

/** SQL: whether the agent whose membership is `m` sees what a frame is about: the project `p` and the doc `d`. */
export const AGENT_SEES = `
  m.user_id is not null and (${VISIBLE_TO_MEMBER})
  and (d.id is null or d.visibility = 'workspace' or d.owner_id = m.user_id)`;

// Pages end early where the stored events are large.
const READ = {
  name: "read_agent_frames",
  text: `
    select f.seq, f.frame_id as id, f.name, f.project_id, f.frame_context as context,
           case when ${AGENT_SEES} then jsonb_build_object(
             'id', f.id, 'type', f.type, 'actor_id', f.actor_id, 'actor_kind', f.actor_kind, 'actor_name', f.actor_name,
             'cause', f.cause, 'data', f.data, 'previous', f.previous, 'changed', f.changed, 'truncated', f.truncated)
           end as event, f.created_at as happened_at
    from (
      select page.*, coalesce(sum(pg_column_size(data) + coalesce(pg_column_size(previous), 0)) over (
               order by seq rows between unbounded preceding and 1 preceding), 0) as before
      from (
        select f.seq, f.id as frame_id, f.name, f.project_id, f.doc_id, f.context as frame_context,
               e.id, e.type, e.actor_id, e.actor_kind, e.actor_name, e.cause, e.data, e.previous, e.changed, e.truncated,
               e.created_at
        from agent_frame f
        join event e on e.id = f.event_id and e.workspace_id = f.workspace_id
        where f.workspace_id = $1 and f.agent_id = $2 and f.seq > $3
        order by f.seq limit $4) page) f
    left join member m on m.workspace_id = $1 and m.user_id = $2 and m.status = 'active'
    left join project p on p.id = f.project_id
    left join doc d on d.id = f.doc_id
    where f.before < $5
    order by f.seq`,
};

/** Bytes of stored events that are read at a time. */
const PAGE_BYTES = 1024 * 1024;

type Read = Omit<FrameRow, "event"> & { event: Omit<EventRow, "created_at"> | null; happened_at: string };

/** The agent's frames after a number, in order. */
export async function readFrameRows(
  db: Db,
  workspaceId: string,
  agentId: string,
  { after, limit }: { after: number; limit: number },
): Promise<FrameRow[]> {
  const rows = await db.query<Read>(READ, [workspaceId, agentId, after, limit, PAGE_BYTES]);
  return rows.map(({ happened_at, event, ...row }) => ({
    ...row,
    event: event && { ...event, created_at: happened_at },
  }));
}

/** The number of the last frame of each of these agents. Agents without frames are left out. */
export async function lastSeqs(db: Db, agentIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.query<{ agent_id: string; last_seq: number }>(
    {
      name: "agent_last_seqs",
      text: "select agent_id, last_seq from agent_stream where agent_id = any($1::uuid[])",
    },
    [agentIds],
  );
  return new Map(rows.map(({ agent_id, last_seq }) => [agent_id, last_seq]));
}

/**
 * The number of the last frame, of the frame with an id, and of the first frame that was stored at a time or later. Times
 * do not decrease from frame to frame.
 */
export async function seqsOf(
  db: Db,
  workspaceId: string,
  agentId: string,
  { id, since }: { id: string | null; since: string },
): Promise<{ last: number; of_id: number | null; first_since: number | null }> {
  const [row] = await db.query<{ last: number; of_id: number | null; first_since: number | null }>(
    {
      name: "agent_frame_seqs",
      text: `
        select coalesce((select last_seq from agent_stream where agent_id = $2), 0) as last,
               (select seq from agent_frame where workspace_id = $1 and agent_id = $2 and id = $3::uuid) as of_id,
               (select seq from agent_frame where workspace_id = $1 and agent_id = $2 and created_at >= $4::timestamptz
                order by created_at, seq limit 1) as first_since`,
    },
    [workspaceId, agentId, id, since],
  );
  return row!;
}
