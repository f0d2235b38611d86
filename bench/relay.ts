import { z } from "zod";
import { readConfig } from "../src/config.ts";
import { defineQueue, id, type QueueDefinition } from "../src/queues/queue.ts";
import { openResources } from "../src/resources.ts";
import { openTaking, type Taking } from "../src/workers/events/relay.sql.ts";
import { median } from "./load.ts";
import { type Bench, setUp } from "./setup.ts";

/**
 * Events per second that the relay takes from a backlog, with 0, 1 and 6 kinds of listeners in the workspace. Queues
 * ask whether there are listeners; six of them are declared in each run, so that the runs differ only in the
 * listeners. One more run has a listener whose condition on the event (`only`) is never met, as for most notifications.
 * Compared with a bare statement that deletes the same outbox rows and inserts nothing.
 */

const ROUNDS = 5;
const EVENTS = 5_000;
const BATCH = 500;
const KINDS = 6;
const OPTIONS = { limit: BATCH, patienceMs: 60_000 };

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 1 });
  const resources = openResources(readConfig(bench.env), "bench");
  const { database } = resources;
  // Connections of its own, because a prepared statement has one text for each connection.
  const others = openResources(readConfig(bench.env), "bench");
  try {
    await bench.sql("create table listener (workspace_id uuid, kind int, primary key (workspace_id, kind))");
    const taking = openTaking(
      Array.from({ length: KINDS }, (_, kind) => queueOf(kind)),
      OPTIONS,
    );
    const picky = openTaking([pickyQueue], OPTIONS);
    const taker = (taking: Taking, from: typeof database) => async () => {
      const taken = await taking.take(from, bench.ids.workspaceId);
      return taken.events;
    };
    const bare = async () => {
      const rows = await database.query(BARE, [bench.ids.workspaceId, BATCH]);
      return rows.length;
    };
    const rates = new Map<string, number[]>();
    const kinds = [0, 1, KINDS].map((n) => [`${n} kinds`, taker(taking, database), n] as const);
    const runs = [
      ["bare delete", bare, 0] as const,
      ...kinds,
      ["1, never met", taker(picky, others.database), 1] as const,
    ];
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, step, listeners] of runs) {
        await listen(bench, listeners);
        rates.set(name, [...(rates.get(name) ?? []), await backlog(bench, step)]);
      }
    }
    const floor = median(rates.get("bare delete")!);
    console.log(`relay: backlog of ${EVENTS}, ${ROUNDS} interleaved rounds; events a second, ratio to the floor`);
    for (const [name, all] of rates) {
      console.log(
        `  ${name.padEnd(14)} ${String(Math.round(median(all))).padStart(7)}   ${(median(all) / floor).toFixed(2)}`,
      );
    }
  } finally {
    await resources.close();
    await others.close();
    await bench.stop();
  }
}

const queueOf = (kind: number, only: QueueDefinition["only"] = {}): QueueDefinition =>
  defineQueue(`bench-${kind}`, {
    on: ["label.created"],
    only,
    listeners: `exists (select from listener l where l.workspace_id = $1 and l.kind = ${kind})`,
    payload: z.object({ workspace_id: id, event_id: id }),
    retry: [],
    concurrency: 1,
  });

const pickyQueue = queueOf(0, { "label.created": "'mentions' = any(e.changed)" });

const BARE = {
  name: "bench_bare",
  text: `
    delete from outbox where event_id = any(array(
      select event_id from outbox where workspace_id = $1 order by position limit $2 for update skip locked))
    returning event_id`,
};

async function listen({ sql, ids }: Bench, kinds: number): Promise<void> {
  await sql("truncate listener, reaction");
  await sql("insert into listener select $1, n from generate_series(0, $2 - 1) n", [ids.workspaceId, kinds]);
}

/** Writes the backlog, then relays it. The events stay, as in a workspace in use. */
async function backlog({ sql, ids }: Bench, step: () => Promise<number>): Promise<number> {
  await sql(RECORD, [ids.workspaceId, EVENTS]);
  await sql("analyze outbox");
  const start = performance.now();
  for (let left = EVENTS; left > 0; ) left -= await step();
  return EVENTS / ((performance.now() - start) / 1000);
}

const RECORD = `
  with written as (
    insert into event (id, workspace_id, type, actor_kind, cause, data, created_at)
    select gen_random_uuid(), $1, 'label.created', 'system', '{}', '{"name":"bug"}', now() from generate_series(1, $2)
    returning id, workspace_id, type
  )
  insert into outbox (event_id, workspace_id, type) select id, workspace_id, type from written`;
