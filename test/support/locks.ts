import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { app } from "./app.ts";
import type { World } from "./world.ts";

/** Waits until this many statements on the file's database wait for a lock. */
export const waitersFor = ({ sql }: World, count: number): Promise<void> =>
  expect
    .poll(async () => {
      const [row] = await sql<{ waiting: number }>(
        `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row?.waiting;
    })
    .toBe(count);

/** Runs a statement in a transaction that stays open until the test ends. Returns a function that ends it before. */
export async function hold(text: string, values: unknown[] = []): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: (await app()).config.DATABASE_URL });
  // A test that drops the database, or restarts Postgres, ends it.
  client.on("error", () => {});
  await client.connect();
  await client.query("begin");
  await client.query(text, values);
  let held = true;
  const release = async () => {
    if (held) await client.end();
    held = false;
  };
  onTestFinished(release);
  return release;
}
