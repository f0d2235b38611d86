import pg from "pg";
import { onTestFinished } from "vitest";
import type { Db } from "../../src/domain/kernel/ports/ports.ts";
import type { World } from "./world.ts";

export type Plans = {
  /** Indexes that the statements used, and the most rows that one of their steps read. */
  indexes: string[];
  most: number;
};

/**
 * A database that explains each statement before it runs it, as though there were far more boards: reading all of a table
 * as small as that of a test is cheap.
 */
export async function explaining({ app }: World): Promise<{ db: Db; take(): Plans }> {
  const client = new pg.Client({ connectionString: app.config.DATABASE_URL });
  onTestFinished(() => client.end());
  await client.connect();
  await client.query("set enable_seqscan = off");
  let plans: string[] = [];
  const db: Db = {
    async query({ text }, values = []) {
      const { rows } = await client.query(`explain (analyze, format json) ${text}`, [...values]);
      plans.push(JSON.stringify(rows));
      return app.resources.database.query({ text }, values);
    },
  };
  return {
    db,
    take() {
      const all = plans.join();
      plans = [];
      const matches = (pattern: RegExp) => [...all.matchAll(pattern)].map(([, value]) => value!);
      return {
        indexes: matches(/"Index Name":"(\w+)"/g),
        most: Math.max(...matches(/"(?:Actual Rows|Rows Removed by Filter)":([\d.]+)/g).map(Number)),
      };
    },
  };
}
