import { setTimeout as sleep } from "node:timers/promises";
import type { EventRow } from "../../events/message.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { AGENT_SEES } from "./frames.sql.ts";
import type { Happened, Telling } from "./telling.ts";

/** What is stored for agents: the frames of a workspace's events, in the order of the events. */

/** The queue whose rows of `reaction` are the events that agents have not been told of. */
export const QUEUE = "stream-to-agent";

/** How long a pass waits for that of another process, which is usually over soon. */
const PATIENCE_MS = 250;
const PAUSE_MS = 10;

/**
 * Frames of a workspace are stored by one transaction at a time, so that they stay in order.
 * @returns false if another one goes on for long: its process may be frozen
 */
export async function lockFrames(db: Db, workspaceId: string): Promise<boolean> {
  const text = "select pg_try_advisory_xact_lock(hashtextextended('agent frames ' || $1::text, 0)) as mine";
  for (let waited = 0; ; waited += PAUSE_MS) {
    const [row] = await db.query<{ mine: boolean }>({ name: "lock_agent_frames", text }, [workspaceId]);
    if (row!.mine || waited >= PATIENCE_MS) return row!.mine;
    await sleep(PAUSE_MS);
  }
}

/** Whether agents have not been told of some of these events. */
export async function areOwed(db: Db, eventIds: readonly string[]): Promise<boolean> {
  const text = `
    select from reaction where event_id = any($1::uuid[]) and queue = '${QUEUE}' and failed_at is null limit 1`;
  return (await db.query({ name: "are_owed_to_agents", text }, [eventIds])).length > 0;
}

const READ = {
  name: "read_owed_to_agents",
  text: `
    with oldest as materialized (
      select event_id, position from reaction
      where workspace_id = $1 and queue = '${QUEUE}' and failed_at is null
      order by position nulls first limit $2),
    owed as materialized (
      select o.*, coalesce(sum(pg_column_size(e.data) + coalesce(pg_column_size(e.previous), 0)) over (
               order by o.position nulls first, o.event_id rows between unbounded preceding and 1 preceding), 0) as before
      from oldest o left join event e on e.id = o.event_id and e.workspace_id = $1)
    select o.event_id, w.slug, (select count(*)::int from oldest) as waiting, e.id, e.type, coalesce(e.project_id, i.project_id) as project_id, e.person_id, e.actor_id,
           e.actor_kind, e.actor_name, e.cause, e.data, e.previous, e.changed, e.context, e.created_at, e.truncated,
           i.key as issue_key,
           case when e.context ? 'mentioned' then coalesce((
             select jsonb_agg(named.id) from jsonb_array_elements_text(e.context -> 'mentioned') named(id)
             join agent a on a.user_id = named.id::uuid and a.workspace_id = $1), '[]') end as agents_mentioned,
           case when e.type = 'comment.created' and e.actor_kind = 'user' then (
             select jsonb_agg(jsonb_build_object(
                 'agent_id', s.agent_id, 'session_id', s.id,
                 'answer_to', case when s.state = 'needs_input' then s.question ->> 'text' end) order by s.id)
             from agent_session s join agent a on a.user_id = s.agent_id
             where s.issue_id = e.issue_id and s.ended_at is null) end as sessions,
           case when e.type like 'chat.message.%' then (
             select jsonb_build_object('id', c.id, 'kind', c.kind, 'name', c.name, 'agents', coalesce((
                 select jsonb_agg(cm.user_id) from chat_member cm join agent a on a.user_id = cm.user_id
                 where cm.channel_id = c.id), '[]'))
             from chat_channel c where c.workspace_id = $1 and c.id = (e.data ->> 'channel_id')::uuid) end as channel
    from owed o
    join workspace w on w.id = $1
    left join event e on e.id = o.event_id and e.workspace_id = $1
    left join issue i on i.id = e.issue_id
    where o.before < $3
    order by o.position nulls first, o.event_id`,
};

type Row = {
  event_id: string;
  slug: string;
  waiting: number;
  id: string | null;
  agents_mentioned: string[] | null;
} & Omit<
  Happened & EventRow & { project_id: string | null },
  "id" | "sessions" | "changed" | "context" | "previous"
> & {
    sessions: Happened["sessions"] | null;
    changed: string[] | null;
    context: Happened["context"] | null;
    previous: Record<string, unknown> | null;
  };

/** An event as it is stored, and as the rules read it. `told` is null if it no longer exists. */
export type Owed = { id: string; told: OwedEvent | null };
export type OwedEvent = { event: EventRow; happened: Happened; project_id: string | null };

/**
 * The oldest events that agents have not been told of: up to `events`, and the first ones of about `bytes` as they are
 * stored.
 */
export async function readOwed(
  db: Db,
  workspaceId: string,
  limit: { events: number; bytes: number },
): Promise<{ slug: string; owed: Owed[]; more: boolean }> {
  const rows = await db.query<Row>(READ, [workspaceId, limit.events, limit.bytes]);
  const [first] = rows;
  if (!first) return { slug: "", owed: [], more: false };
  const more = first.waiting === limit.events || rows.length < first.waiting;
  return { slug: first.slug, owed: rows.map(owedOf), more };
}

function owedOf({ event_id, slug: _, waiting: __, id, sessions, agents_mentioned, project_id, ...row }: Row): Owed {
  if (id === null) return { id: event_id, told: null };
  const event = { ...row, id };
  const lists = { previous: row.previous ?? {}, changed: row.changed ?? [], sessions: sessions ?? [] };
  // A text may mention a thousand people.
  const context = { ...row.context, ...(agents_mentioned ? { mentioned: agents_mentioned } : {}) };
  return { id, told: { event, happened: { ...event, ...lists, context }, project_id } };
}

/** A frame before it is known whether the agent may see it. */
export type Draft = Pick<Telling, "name" | "context" | "doc_id" | "channel_id" | "live"> & {
  agent_id: string;
  id: string;
  event: { id: string };
  project_id: string | null;
};

const STORE = {
  name: "store_agent_frames",
  text: `
    with draft as materialized (
      select t.*, t.place::int as n from jsonb_to_recordset($2::jsonb) as t(
        place int, agent_id uuid, id uuid, event_id uuid, name text, context jsonb, project_id uuid, doc_id uuid,
        channel_id uuid, live boolean)
    ),
    -- Agents that a key lets in, and what they see.
    heard as materialized (
      select t.* from draft t
      join agent a on a.user_id = t.agent_id and a.workspace_id = $1
      join member m on m.workspace_id = $1 and m.user_id = t.agent_id and m.status = 'active'
      left join project p on p.id = t.project_id
      left join doc d on d.id = t.doc_id
      left join chat_channel c on c.id = t.channel_id
      where ${AGENT_SEES}
        and (c.id is null or c.kind = 'public'
             or exists (select from chat_member cm where cm.channel_id = c.id and cm.user_id = t.agent_id))
        and exists (select from api_key k where k.user_id = t.agent_id and k.workspace_id = $1 and k.revoked_at is null
                      and (k.expires_at is null or k.expires_at > now()))
        and not exists (select from agent_frame f where f.agent_id = t.agent_id and f.id = t.id)
    ),
    -- The frames get one time, which is never earlier than that of a frame before: \`since\` resumes by time. The clock
    -- may go back.
    counted as (
      insert into agent_stream (agent_id, last_seq, last_at)
      select agent_id, count(*), (select clock_timestamp()) from heard where not live group by agent_id
      on conflict (agent_id) do update
      set last_seq = agent_stream.last_seq + excluded.last_seq,
          last_at = greatest(agent_stream.last_at, excluded.last_at)
      returning agent_id, last_seq, last_at
    ),
    numbered as (
      select h.*, c.last_at, c.last_seq + 1 - row_number() over (partition by h.agent_id order by h.place desc) as seq
      from heard h join counted c using (agent_id) where not h.live
    ),
    stored as (
      insert into agent_frame (agent_id, seq, workspace_id, id, event_id, name, context, project_id, doc_id, created_at)
      select agent_id, seq, $1, id, event_id, name, context, project_id, doc_id, last_at from numbered
    ),
    told as (
      delete from reaction where queue = '${QUEUE}' and event_id = any($3::uuid[])
    )
    select place, seq from numbered union all select place, null from heard where live
    order by place`,
};

/**
 * Stores the frames of agents that may see them, and that their events are done.
 * @returns which drafts are told, in their order: their index, and their number among the agent's frames
 */
export const storeFrames = (
  db: Db,
  workspaceId: string,
  drafts: readonly Draft[],
  eventIds: readonly string[],
): Promise<{ place: number; seq: number | null }[]> => {
  const rows = drafts.map(({ event, live = false, ...draft }, place) => ({
    ...draft,
    event_id: event.id,
    live,
    place,
  }));
  return db.query(STORE, [workspaceId, JSON.stringify(rows), eventIds]);
};
