import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { databaseAt } from "../test/support/databases.ts";

/** Counts statements with pg_stat_statements, which is switched off while times are taken. */

/** Settings of a Postgres whose statements are counted. */
export const STATISTICS = { shared_preload_libraries: "pg_stat_statements" };

/** `ms` is the time in which statements ran: without planning, starting and ending them, and without the commit. */
export type Ran = { text: string; calls: number; ms: number };

export type Counter = { during(work: () => Promise<unknown>): Promise<Ran[]>; close(): Promise<void> };

/** Counts what is sent to the database of `url`. */
export async function openCounter(url: string): Promise<Counter> {
  const client = new pg.Client({ connectionString: databaseAt(url, "postgres") });
  await client.connect();
  await client.query("create extension if not exists pg_stat_statements");
  const track = async (which: "top" | "none") => {
    await client.query(`alter system set pg_stat_statements.track = '${which}'`);
    await client.query("select pg_reload_conf()");
    // As long as the other connections need to hear of it.
    await sleep(200);
  };
  await track("none");
  return {
    async during(work) {
      await track("top");
      await client.query("select pg_stat_statements_reset()");
      try {
        await work();
      } finally {
        await track("none");
      }
      const { rows } = await client.query<Ran>(
        `select s.query as text, s.calls::int, s.total_exec_time as ms
         from pg_stat_statements s join pg_database d on d.oid = s.dbid
         where d.datname = $1 order by s.total_exec_time desc`,
        [new URL(url).pathname.slice(1)],
      );
      return rows;
    },
    close: () => client.end(),
  };
}
