import type { World } from "../support/world.ts";

/** The content of the database, as one sum per table: two snapshots are equal if all rows are the same. */
export type Snapshot = Record<string, string>;

/** These are written independently of requests and their outcome: when keys, people, agents and workers were last seen. */
const UNWATCHED = ["last_activity_at", "last_used_at", "last_used_ip", "last_active_at", "steady_since", "alive_until"];

type Sum = { rows: bigint; content: bigint };
type Change = { name: string; rows: string; content: string };
type Known = { sums: Map<string, Sum>; last: Promise<unknown> };

const known = new WeakMap<object, Promise<Known>>();

/**
 * From the first snapshot on, triggers note how each written row changes the number of rows of its table and the sum of
 * their hashes. So a snapshot reads only what was written since the last one, and what was rolled back is not there.
 */
export async function snapshot({ sql, app }: Pick<World, "sql" | "app">): Promise<Snapshot> {
  if (!known.has(app)) known.set(app, noteChanges(sql));
  const state = await known.get(app)!;
  const taken = state.last.then(() => addChanges(sql, state));
  state.last = taken.catch(() => {});
  return taken;
}

async function addChanges(sql: World["sql"], { sums }: Known): Promise<Snapshot> {
  const changes = await sql<Change>(
    `with noted as (delete from test.change returning *)
     select name, sum(rows)::text as rows, sum(content)::text as content from noted group by name`,
  );
  for (const { name, rows, content } of changes) {
    const sum = sums.get(name)!;
    sums.set(name, { rows: sum.rows + BigInt(rows), content: sum.content + BigInt(content) });
  }
  return Object.fromEntries([...sums].map(([name, { rows, content }]) => [name, `${rows} rows more, ${content}`]));
}

async function noteChanges(sql: World["sql"]): Promise<Known> {
  const unwatched = `'{${UNWATCHED.join(",")}}'::text[]`;
  const hash = (row: string) => `hashtextextended((to_jsonb(${row}) - ${unwatched})::text, 0)::numeric`;
  await sql(`create schema test`);
  await sql(`create table test.change (name text not null, rows integer not null, content numeric not null)`);
  await sql(
    `create function test.note_change() returns trigger language plpgsql as $$
     declare rows integer := 0; content numeric := 0;
     begin
       if tg_op <> 'DELETE' then rows := rows + 1; content := content + ${hash("new")}; end if;
       if tg_op <> 'INSERT' then rows := rows - 1; content := content - ${hash("old")}; end if;
       if rows <> 0 or content <> 0 then insert into test.change values (tg_argv[0], rows, content); end if;
       return null;
     end $$`,
  );
  const names = await tablesIn(sql);
  for (const name of names) {
    await sql(
      `create trigger note_change after insert or update or delete on "${name}"
       for each row execute function test.note_change('${name}')`,
    );
  }
  return { sums: new Map(names.map((name) => [name, { rows: 0n, content: 0n }])), last: Promise.resolve() };
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
