import type { World } from "../support/world.ts";

/** What the database holds, as one hash a table: two snapshots are equal when no row changed in between. */
export type Snapshot = Record<string, string>;

/** When keys, people and workers were last seen is written behind the requests' back, refused or not. */
const UNWATCHED = ["last_used_at", "last_used_ip", "last_active_at", "steady_since", "alive_until"];

type Table = { name: string; rows: string; versions: string };

/** What each database's tables held when they were last hashed. */
const hashed = new WeakMap<object, Map<string, { table: string; content: string }>>();

/**
 * Hashes only the tables in which a row was written since the last snapshot of this database. Postgres marks each
 * version of a row with the transaction that wrote it, so that a cheap sum tells.
 */
export async function snapshot({ sql, app }: Pick<World, "sql" | "app">): Promise<Snapshot> {
  const known = hashed.get(app) ?? new Map();
  hashed.set(app, known);
  const names = await sql<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const versions = names.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::text as rows,
              coalesce(sum(hashtextextended(tableoid || ' ' || ctid || ' ' || xmin, 0)::numeric), 0)::text as versions
       from "${name}"`,
  );
  const tables = await sql<Table>(versions.join(" union all "));
  const stateOf = ({ rows, versions }: Table) => `${rows} ${versions}`;
  const changed = tables.filter((table) => known.get(table.name)?.table !== stateOf(table));
  const contents = await contentsOf(sql, changed);
  for (const table of changed)
    known.set(table.name, { table: stateOf(table), content: `${table.rows} rows ${contents.get(table.name)}` });
  return Object.fromEntries(tables.map(({ name }) => [name, known.get(name)!.content]));
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
