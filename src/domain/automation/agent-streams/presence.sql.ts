import type { Db } from "../../kernel/ports/ports.ts";
import { ASYNC_COMMIT } from "../../kernel/transaction-settings.ts";

/**
 * The open streams of agents in each web process. A process renews its row; the streams of one that was killed count until
 * that ends. All times are the database's, because the clocks of processes differ.
 */

/** A process that was killed counts as alive for this long. Its agents cannot use its share of their streams so long. */
export const ALIVE_MS = 8_000;

const BEAT = {
  name: "stream_process_beat",
  text: `
    insert into stream_process as p (id, alive_until)
    select $1, now() + interval '${ALIVE_MS} ms' from (select ${ASYNC_COMMIT}) u
    on conflict (id) do update set alive_until = excluded.alive_until
    returning xmax = 0 as is_new`,
};

/** Records that a process is alive. Returns whether it was not known, so that its streams are not either. */
export async function renewProcess(db: Db, processId: string): Promise<boolean> {
  const [row] = await db.query<{ is_new: boolean }>(BEAT, [processId]);
  return row!.is_new;
}

// Agents without streams have no row.
const STORE = {
  name: "store_agent_presence",
  text: `
    with count as materialized (
      select c.* from (select ${ASYNC_COMMIT}) u, unnest($2::uuid[], $3::int[]) as c(agent_id, streams)
    ),
    gone as (
      delete from agent_presence p using count c
      where p.agent_id = c.agent_id and p.process_id = $1 and c.streams = 0
    )
    insert into agent_presence (agent_id, process_id, streams)
    select agent_id, $1, streams from count where streams > 0 order by agent_id
    on conflict (agent_id, process_id) do update set streams = excluded.streams`,
};

/** Stores how many streams of each agent a process has open. */
export async function storeStreams(
  db: Db,
  processId: string,
  agentIds: readonly string[],
  streams: readonly number[],
): Promise<void> {
  await db.query(STORE, [processId, agentIds, streams]);
}

/** How many streams of each agent other live processes have open. Agents without any are left out. */
export async function countElsewhere(
  db: Db,
  processId: string,
  agentIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ agent_id: string; streams: number }>(
    {
      name: "count_agent_streams_elsewhere",
      text: `
        select p.agent_id, sum(p.streams)::int as streams
        from agent_presence p join stream_process o on o.id = p.process_id
        where p.agent_id = any($2::uuid[]) and p.process_id <> $1 and o.alive_until > now()
        group by p.agent_id`,
    },
    [processId, agentIds],
  );
  return new Map(rows.map(({ agent_id, streams }) => [agent_id, streams]));
}

/** Deletes the rows of processes that ended or were killed a while ago. */
export async function deleteDeadStreams(db: Db): Promise<void> {
  await db.query({
    text: `
      with dead as (
        delete from stream_process where alive_until < now() - interval '1 minute' returning id
      )
      delete from agent_presence where process_id in (select id from dead)`,
  });
}
