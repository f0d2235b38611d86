import pg from "pg";
import type { Exchange, Reply } from "./client.ts";
import type { World } from "./world.ts";

/** Two concurrent calls that wait for a row, which the test locks until neither can continue. */

/** A row: its table and its key. */
export type Row = { table: string; column: string; id: string };

export type Race = {
  replies: [Reply, Reply];
  /** Whether the first call waited for the row. */
  waited: boolean;
  /** Whether a call waited for the row or for the other call. If not, they ran one after the other. */
  met: boolean;
};

/** Sends the second call once the first one waits or has ended. */
export async function race({ app }: World, row: Row, first: () => Exchange, second: () => Exchange): Promise<Race> {
  const holder = new pg.Client({ connectionString: app.config.DATABASE_URL });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query(`select 1 from ${row.table} where ${row.column} = $1 for no key update`, [row.id]);
    const one = start(first());
    const waited = await wait(holder, [one]);
    const two = start(second());
    const met = (await wait(holder, [one, two])) || waited;
    await holder.query("commit");
    return { replies: [await one.reply, await two.reply], waited, met };
  } finally {
    await holder.end();
  }
}

type Started = { reply: Promise<Reply>; isOver: () => boolean };

function start(exchange: Exchange): Started {
  let over = false;
  const reply = Promise.resolve(exchange).finally(() => {
    over = true;
  });
  return { reply, isOver: () => over };
}

/**
 * A call waits 5 s for a lock at most. After 0.9 s it keeps other calls out of Postgres: they wait in the process with
 * everything that they have read.
 */
const LONGEST_MS = 2_000;

/** Resolves once each of the calls waits or has ended, with whether any waits. */
async function wait(holder: pg.Client, calls: Started[]): Promise<boolean> {
  const end = Date.now() + LONGEST_MS;
  for (;;) {
    // Within a transaction, Postgres keeps the list of connections, which has none that were opened meanwhile.
    await holder.query("select pg_stat_clear_snapshot()");
    const { rows } = await holder.query<{ waiting: number }>(WAITING);
    const running = calls.filter((call) => !call.isOver()).length;
    if (rows[0]!.waiting >= running || Date.now() > end) return running > 0;
    await new Promise((resolve) => setTimeout(resolve, 8));
  }
}

// Connections that wait for this one, directly or indirectly.
const WAITING = `
  with recursive waiting as materialized (
    select pid, pg_blocking_pids(pid) as behind from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'),
  blocked as (
    select pid from waiting where pg_backend_pid() = any(behind)
    union
    select w.pid from waiting w join blocked b on b.pid = any(w.behind))
  select count(*)::int as waiting from blocked`;
