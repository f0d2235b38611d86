import type { World } from "../support/world.ts";

/** What the database holds, as one hash a table: two snapshots are equal when no row changed in between. */
export type Snapshot = Record<string, string>;

/** When keys and people were last seen is written behind the requests' back, refused or not. */
const UNWATCHED = ["last_used_at", "last_used_ip", "last_active_at"];

export async function snapshot({ sql }: Pick<World, "sql">): Promise<Snapshot> {
  const tables = await sql<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const hashes = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' rows ' || coalesce(md5(string_agg(row, '' order by row)), '') as content
       from (select md5((to_jsonb(t) - $1::text[])::text) as row from "${name}" t) rows`,
  );
  const rows = await sql<{ name: string; content: string }>(hashes.join(" union all "), [UNWATCHED]);
  return Object.fromEntries(rows.map(({ name, content }) => [name, content]));
}
