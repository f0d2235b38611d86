import { batched } from "../domain/batched.ts";
import type { Database } from "../domain/ports.ts";
import { FORGETFUL, THROUGH_INDEXES } from "../domain/transaction-settings.ts";

/** Events on their way to queues. These statements serve all workspaces: they move ids, nobody reads them as data. */

/** Without a workspace where it concerns a person alone. */
export type Owed = { event_id: string; workspace_id: string | null; queue: string };

// Relays on two machines may read at once; skip-locked rows keep each event with one of them.
const RELAY = {
  name: "relay",
  text: `
    with taken as (
      delete from outbox where event_id in (
        select event_id from outbox order by event_id limit $3 for update skip locked)
      returning event_id, workspace_id, type
    ),
    owed as (
      insert into reaction (event_id, queue, workspace_id, due_at)
      select distinct t.event_id, r.queue, t.workspace_id, now() + $4 * interval '1 ms'
      from taken t join unnest($1::text[], $2::text[]) as r(queue, type) on r.type in ('*', t.type)
      on conflict do nothing
      returning event_id, queue, workspace_id
    )
    select t.event_id, t.workspace_id, o.queue from taken t left join owed o using (event_id)`,
};

/**
 * Turns up to `most` committed events into jobs owed, at once. A job that is not done `patienceMs` from now is for the
 * sweep to add again.
 */
export async function takeEvents(
  database: Database,
  table: { queues: string[]; types: string[] },
  options: { most: number; patienceMs: number },
): Promise<{ events: number; owed: Owed[] }> {
  const values = [table.queues, table.types, options.most, options.patienceMs];
  const rows = await database.transaction((tx) => tx.query<Owed & { queue: string | null }>(RELAY, values), SETTINGS);
  return { events: new Set(rows.map((row) => row.event_id)).size, owed: rows.filter((row) => row.queue !== null) };
}

// What is taken back is relayed again.
const SETTINGS = [FORGETFUL, THROUGH_INDEXES].join(";");

const OVERDUE = {
  name: "reaction_overdue",
  text: `
    update reaction set due_at = now() + $2 * interval '1 ms'
    where ctid = any(array(
      select ctid from reaction where due_at < now() and failed_at is null
      order by due_at limit $1 for update skip locked))
    returning event_id, queue, workspace_id`,
};

/** Jobs that were owed by now. They are due again `patienceMs` from now. */
export const takeOverdue = (database: Database, options: { most: number; patienceMs: number }): Promise<Owed[]> =>
  database.transaction((tx) => tx.query<Owed>(OVERDUE, [options.most, options.patienceMs]), SETTINGS);

const DONE = {
  name: "reaction_done",
  text: `
    delete from reaction r using unnest($1::uuid[], $2::text[]) as d(event_id, queue)
    where r.event_id = d.event_id and r.queue = d.queue`,
};

/** A job was done: nothing is owed any more. */
export const reactionDone = batched<{ event_id: string; queue: string }, void>(
  async (database, items) => {
    await database.query(DONE, [items.map((item) => item.event_id), items.map((item) => item.queue)]);
    return [];
  },
  { most: 500 },
);

const FAILED = {
  name: "reaction_failed",
  text: `update reaction set failed_at = now() where event_id = $1 and queue = $2`,
};

/** A job was given up: sweeps leave it alone, and it waits for an operator. */
export async function reactionFailed(database: Database, reaction: { event_id: string; queue: string }): Promise<void> {
  await database.query(FAILED, [reaction.event_id, reaction.queue]);
}
