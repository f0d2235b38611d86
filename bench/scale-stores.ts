import pg from "pg";
import { newId } from "../src/domain/kernel/ids.ts";
import { newSecret } from "../src/domain/kernel/secrets.ts";
import { MIGRATIONS } from "../src/migration-files.ts";
import { adminQuery, databaseAt } from "../test/support/databases.ts";
import type { Stack } from "../test/support/stack.ts";
import { FILL, fillStore } from "./scale-fill.ts";
import { type Bench, openBench, type Seeded, seed } from "./setup.ts";

/** The kept databases of `npm run bench -- scale`, one for each number of issues. */

export type Store = { issues: number; bench: Bench; keys: string[] };

/** Search allows a key sixty calls a minute. */
const KEYS = 30;

/** Opens a store and migrates it. Fills it if there is none, or if the kept one is of another kind. */
export async function openStore(stack: Stack, issues: number): Promise<Store> {
  const name = `issues_${issues}`;
  const url = databaseAt(stack.databaseUrl, name);
  const stale = await whyStale(stack.databaseUrl, name);
  if (stale) {
    console.log(`scale: filling ${issues} issues (${stale})`);
    await adminQuery(stack.databaseUrl, `drop database if exists ${name}`);
    await adminQuery(stack.databaseUrl, `create database ${name}`);
  }
  const started = performance.now();
  let keys: string[] = [];
  const one = { databaseUrl: url, redisUrl: stack.redisUrl, stop: async () => {} };
  const find = async (sql: Bench["sql"]) => {
    const seeded = stale ? await fill(sql, issues) : await filled(sql);
    keys = seeded.keys;
    return seeded;
  };
  const bench = await openBench(one, find, { REDIS_PREFIX: name });
  // Migrations leave them to a worker, and none runs here.
  await bench.sql("select count_sprint(sprint_id) from sprint_to_count");
  if (stale) console.log(`scale: filled in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return { issues, bench, keys };
}

/** Null if a database of this name can be used, and migrated if necessary. */
async function whyStale(url: string, name: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: databaseAt(url, name) });
  try {
    await client.connect();
    const { rows } = await client.query<{ fill: number; migrations: string[] }>(
      `select s.fill, array(select m.name from migration m) as migrations from bench.store s`,
    );
    if (rows.length === 0) return "the last fill was interrupted";
    if (rows[0]!.fill !== FILL) return "the kept store has other rows";
    const unknown = rows[0]!.migrations.find((migration) => !(MIGRATIONS as readonly string[]).includes(migration));
    return unknown ? `the kept store has the migration ${unknown}, which this checkout lacks` : null;
  } catch (error) {
    if ((error as { code?: string }).code === "3D000") return "there is no kept store";
    if ((error as { code?: string }).code === "42P01") return "the last fill was interrupted";
    throw error;
  } finally {
    await client.end();
  }
}

type Kept = Seeded & { keys: string[] };

async function fill(sql: Bench["sql"], issues: number): Promise<Kept> {
  const seeded = await seed(sql, 0, 3);
  await fillStore(sql, seeded, issues);
  const keys = await addKeys(sql, seeded);
  const kept = { ...seeded, keys };
  await sql("create schema bench");
  await sql("create table bench.store (fill int not null, kept jsonb not null)");
  await sql("insert into bench.store values ($1, $2)", [FILL, JSON.stringify(kept)]);
  return kept;
}

const filled = async (sql: Bench["sql"]): Promise<Kept> => (await sql("select kept from bench.store"))[0]!.kept as Kept;

async function addKeys(sql: Bench["sql"], { ids }: Seeded): Promise<string[]> {
  const keys = Array.from({ length: KEYS }, () => newSecret("wk_"));
  for (const { hash, prefix, last_four } of keys) {
    await sql(
      `insert into api_key (id, workspace_id, user_id, kind, name, hash, prefix, last_four, scopes, rate_limit_per_minute, created_by, created_at, updated_at)
       values ($1, $2, $3, 'workspace', 'bench', $4, $5, $6, '{admin}', 100000000, $3, now(), now())`,
      [newId(), ids.workspaceId, ids.userId, hash, prefix, last_four],
    );
  }
  return keys.map(({ plaintext }) => plaintext);
}
