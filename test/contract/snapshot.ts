import type { World } from "../support/world.ts";

/** The content of the database, as one hash per table: two snapshots are equal if no row changed in between. */
export type Snapshot = Record<string, string>;

/** These are written independently of requests and their outcome: when keys, people, agents and workers were last seen. */
const UNWATCHED = ["last_activity_at", "last_used_at", "last_used_ip", "last_active_at", "steady_since", "alive_until"];

type Table = { name: string; rows: string; versions: string };

type Known = {
  /** The number of writing statements when the last snapshot began. */
  writes: string;
  /** Each table's state when it was last hashed. */
  tables: Map<string, { table: string; content: string }>;
  snapshot: Snapshot;
};

const known = new WeakMap<object, Promise<Known>>();

/**
 * The last snapshot is reused if no statement has written since, as most rejected calls write nothing. Otherwise only
 * tables with a written row are hashed: Postgres marks each version of a row with the transaction that wrote it, so a
 * cheap sum shows whether one differs.
 */
export async function snapshot({ sql, app }: Pick<World, "sql" | "app">): Promise<Snapshot> {
  if (!known.has(app)) known.set(app, countWrites(sql));
  const last = await known.get(app)!;
  const [{ writes } = { writes: "" }] = await sql<{ writes: string }>(`select last_value as writes from test.writes`);
  if (writes === last.writes) return last.snapshot;

  const versions = (await tablesIn(sql)).map(
    (name) =>
      `select '${name}' as name, count(*)::text as rows,
              coalesce(sum(hashtextextended(tableoid || ' ' || ctid || ' ' || xmin, 0)::numeric), 0)::text as versions
       from "${name}"`,
  );
  const tables = await sql<Table>(versions.join(" union all "));
  const stateOf = ({ rows, versions }: Table) => `${rows} ${versions}`;
  const changed = tables.filter((table) => last.tables.get(table.name)?.table !== stateOf(table));
  const contents = await contentsOf(sql, changed);
  for (const table of changed)
    last.tables.set(table.name, { table: stateOf(table), content: `${table.rows} rows ${contents.get(table.name)}` });
  const taken = Object.fromEntries(tables.map(({ name }) => [name, last.tables.get(name)!.content]));
  known.set(app, Promise.resolve({ ...last, writes, snapshot: taken }));
  return taken;
}

/** Counts writing statements in this file's database. A sequence counts at once, even what is rolled back. */
async function countWrites(sql: World["sql"]): Promise<Known> {
  await sql(`create schema test`);
  await sql(`create sequence test.writes`);
  // A sequence shows its first value even before the first call.
  await sql(`select nextval('test.writes')`);
  await sql(
    `create function test.count_write() returns trigger language plpgsql as
     $$ begin perform nextval('test.writes'); return null; end $$`,
  );
  for (const name of await tablesIn(sql))
    await sql(
      `create trigger count_write after insert or update or delete on "${name}"
       for each statement execute function test.count_write()`,
    );
  return { writes: "", tables: new Map(), snapshot: {} };
}

async function tablesIn(sql: World["sql"]): Promise<string[]> {
  const tables = await sql<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       -- Each process stores which streams are open, a moment after they open or close.
       and relname <> 'agent_presence'`,
  );
  return tables.map(({ name }) => name);
}

async function contentsOf(sql: World["sql"], tables: Table[]): Promise<Map<string, string>> {
  if (tables.length === 0) return new Map();
  const hashes = tables.map(
    ({ name }) =>
      `select '${name}' as name, coalesce(md5(string_agg(row, '' order by row)), '') as content
       from (select md5((to_jsonb(t) - $1::text[])::text) as row from "${name}" t) rows`,
  );
  const rows = await sql<{ name: string; content: string }>(hashes.join(" union all "), [UNWATCHED]);
  return new Map(rows.map(({ name, content }) => [name, content]));
}
