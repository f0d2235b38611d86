import type { Reply } from "./client.ts";
import type { World } from "./world.ts";

/**
 * Everything that calls leave behind, in a form that can be compared with the same calls in another world: ids are
 * numbered in the order of creation; random values and the current time are left out.
 */

// biome-ignore lint/suspicious/noExplicitAny: rows of all kinds
type Json = any;
type TableRow = { table: string; row: Json };

/** Names for the ids of a world. Taken after the preparation and before the calls. */
export type Names = Map<string, string>;

export type Footprint = {
  replies: Json[];
  /** By object, each as a list in the order of their ids. */
  events: Json[][];
  /** By issue, each as a list in the order of their ids. */
  history: Json[][];
  rows: Json[];
};

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

export async function namesIn(here: World): Promise<Names> {
  // Request ids are random.
  const withoutCause = (key: string, value: Json) => (key === "cause" ? undefined : value);
  const ids = new Set(JSON.stringify(await rowsOf(here), withoutCause).match(UUID));
  return new Map([...ids].sort().map((id, n) => [id, `#${n}`]));
}

export async function footprint(here: World, names: Names, replies: readonly Reply[]): Promise<Footprint> {
  const all = await rowsOf(here);
  const named = new Map(names);
  for (const { table, row } of all) if (row.id && !named.has(row.id)) named.set(row.id, `new ${table}`);
  const plain = (value: Json) => plainOf(value, here, named);

  const of = (table: string) => all.filter((one) => one.table === table).map(({ row }) => row);
  const rest = all.filter(({ table }) => table !== "event" && table !== "activity");
  return {
    replies: replies.map(({ status, body }) => plain({ status, body: body?.code ? { code: body.code } : body })),
    events: inOrder(sequences(of("event"), aboutOf).map((list) => list.map(plain))),
    history: inOrder(sequences(of("activity"), ({ issue_id }) => issue_id).map((list) => list.map(plain))),
    rows: inOrder(rest.map(({ table, row }) => ({ table, ...plain(row) }))),
  };
}

/** Everything recorded in a world by object, oldest first. */
export const eventsIn = async ({ sql, workspace }: World): Promise<Json[][]> =>
  sequences(await sql<Json>("select * from event where workspace_id = $1", [workspace.id]), aboutOf);

const aboutOf = ({ type, issue_id, data }: Json): string =>
  `${type.slice(0, type.lastIndexOf("."))} ${/^issue\.[a-z_]+$/.test(type) ? issue_id : (data.id ?? data.user_id)}`;

function sequences(rows: Json[], about: (row: Json) => string): Json[][] {
  const byId = [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  return [...Map.groupBy(byId, about).values()];
}

const inOrder = <T>(values: T[]): T[] =>
  values
    .map((value) => ({ value, text: JSON.stringify(value) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ value }) => value);

/**
 * Random, secret or different in each call. Progress is computed when it is read. The words of the search index follow from
 * the texts beside them, and contain parts of ids.
 */
const LEFT_OUT = new Set([
  ...[
    "hash",
    "prefix",
    "last_four",
    "secret",
    "secret_prefix",
    "client_secret",
    "client_secret_hash",
    "plaintext",
    "cause",
    "request_id",
    "headers",
  ],
  ...[
    "key_prefix",
    "last_used_at",
    "last_used_ip",
    "url",
    "relay_url",
    "share_url",
    "storage_key",
    "object_key",
    "key_id",
  ],
  ...["progress", "search", "search_head"],
]);
const isLeftOut = (field: string) => LEFT_OUT.has(field) || /_(hash|sealed)$/.test(field);

function plainOf(value: Json, here: World, names: Names): Json {
  if (Array.isArray(value)) return value.map((one) => plainOf(one, here, names));
  if (value !== null && typeof value === "object") {
    const fields = Object.entries(value).filter(([field]) => !isLeftOut(field));
    const plain = fields.map(([field, one]) => [nameIn(field, names), plainOf(one, here, names)] as const);
    return Object.fromEntries(plain.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  if (typeof value !== "string") return value;
  if (isNow(value)) return "now";
  // The numbers of test users continue across worlds.
  const numbered = /\b(owner|admin|member|guest|viewer)( ?)\d+/g;
  return nameIn(value, names).replaceAll(here.workspace.slug, "slug").replace(numbered, "$1$2n");
}

const nameIn = (text: string, names: Names) => text.replace(UUID, (id) => names.get(id) ?? "new");

const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
const isNow = (text: string) => INSTANT.test(text) && Math.abs(Date.parse(text) - Date.now()) < 30 * 86_400_000;

/** Not compared: pending work of workers, and counters that follow from other rows. */
const NOT_READ = ["access_version", "outbox", "mail", "stored_object"];

let statement: Promise<string> | undefined;

async function rowsOf({ sql, workspace }: World): Promise<TableRow[]> {
  statement ??= readingAll(sql);
  return sql<TableRow>(await statement, [workspace.id]);
}

/** Reads every table with a workspace_id. */
async function readingAll(sql: World["sql"]): Promise<string> {
  const tables = await sql<{ name: string }>(`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname = 'workspace_id' and not a.attisdropped order by 1`);
  const read = (table: string, which: string) =>
    `select '${table}' as "table", to_jsonb(t) as "row" from ${table} t where ${which}`;
  return [
    read("workspace", "id = $1"),
    read("issue_counter", "project_id in (select id from project where workspace_id = $1)"),
    ...tables.filter(({ name }) => !NOT_READ.includes(name)).map(({ name }) => read(name, "workspace_id = $1")),
  ].join(" union all ");
}
