import { createRequire } from "node:module";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { Connection, type PooledConnection } from "../../src/adapters/postgres-connection.ts";
import { getTypeParser } from "../../src/adapters/postgres-types.ts";
import { isReplaceable, PreparedQuery, runPlainly, runPrepared } from "../../src/adapters/prepared-query.ts";

/**
 * What prepared statements take for granted of pg's private parts. When an upgrade of pg fails this, change
 * src/adapters/prepared-query.ts and row-parser.ts, or let runPrepared() always use runPlainly(): the rows are the same.
 */

type Wire = Record<string, (...values: unknown[]) => unknown>;

const MESSAGES = ["parse", "bind", "describe", "execute", "sync", "close", "flush", "query"];
const METHODS = Object.getOwnPropertyNames(PreparedQuery.prototype).filter((name) => name !== "run");
const ID = "0198c2a4-0e10-7c11-8a01-5f1d2b6c7a01";
let client: Connection;
let sent: string[];

beforeEach(async () => {
  client = new Connection({ connectionString: inject("stack").databaseUrl });
  await client.connect();
  sent = [];
  const { connection } = client as unknown as { connection: Wire };
  for (const message of MESSAGES) {
    const send = connection[message]!;
    connection[message] = function (...values) {
      sent.push(message);
      return send.apply(this, values);
    };
  }
});
afterEach(() => client.end());

const query = (name: string, text: string, values: unknown[]) =>
  new PreparedQuery({ name, text }, values, pg.types.getTypeParser).run(client as unknown as pg.PoolClient);

const TEXT = `select n, 'row ' || n as text, n::int8 as big, array[n, null] as list, null::uuid as nothing,
                     jsonb_build_object('n', n) as json, n > 1 as more
              from generate_series(1, $1::int) n`;

test("a prepared statement requests its columns once, and returns the same rows as pg's own query", async () => {
  const name = "prepared_rows";
  const own = (await client.query({ name: "own_rows", text: TEXT, values: [3] })).rows;
  sent = [];
  expect(await query(name, TEXT, [3])).toEqual(own);
  expect(sent).toEqual(["parse", "bind", "describe", "execute", "sync"]);
  sent = [];
  expect(await query(name, TEXT, [3])).toEqual(own);
  expect(sent).toEqual(["bind", "execute", "sync"]);
});

test("it was checked with this version of pg", () => {
  const { version } = createRequire(import.meta.url)("pg/package.json") as { version: string };
  expect(version, "run this file against the new version, read pg's lib/query.js, then change this line").toBe(
    "8.23.1",
  );
});

test("pg's own query is used if pg lacks a method", () => {
  expect(isReplaceable()).toBe(true);
  const { prepare: _, ...rest } = Object.fromEntries(METHODS.map((name) => [name, () => {}]));
  expect(isReplaceable(rest)).toBe(false);
});

const STATEMENTS: [what: string, text: string, values: unknown[]][] = [
  ["no rows", "select 1 as one where $1::int > 1", [1]],
  ["no columns", "select from generate_series(1, $1::int)", [2]],
  ["numbers", "select $1::int2 as a, 9007199254740991::int8 as b, 1.50::numeric as c, 0.1::float8 as d", [7]],
  ["texts", "select $1::text as text, 'a'::varchar as short, ''::text as empty, null::text as none", ['"q" \\ ü']],
  [
    "times",
    "select '2026-01-02 03:04:05.6+00'::timestamptz as at, $1::date as day, null::timestamptz as never",
    ["2026-01-02"],
  ],
  ["lists", "select $1::uuid[] as ids, array['a,b', null] as texts, '{}'::uuid[] as none", [[ID]]],
  ["short values", `select '[]'::jsonb as list, '""'::jsonb as text, $1::jsonb as object, '{}'::text[] as texts`, [{}]],
  ["whole numbers", "select $1::int as low, 2147483647 as high, (-32768)::int2 as short, 0 as none", [-2147483648]],
  ["objects", "select $1::jsonb as object, '[1]'::json as list, 'null'::jsonb as nothing", [{ b: [1], a: null }]],
  ["bytes and booleans", "select $1::bytea as bytes, true as yes, null::boolean as unknown", [Buffer.from([0, 255])]],
  ["odd names", `select 1 as "__proto__x", 2 as "a b", 3 as """", $1::int as "constructor"`, [4]],
  ["a name twice", "select 1 as same, $1::int as same", [2]],
  ["a write", "create temp table if not exists written as select $1::int as n", [1]],
];

test.each(STATEMENTS)("%s are the same both ways, the first time and later", async (what, text, values) => {
  const pool = client as unknown as PooledConnection;
  const name = what.replaceAll(" ", "_");
  for (let round = 0; round < 3; round++) {
    const plain = await runPlainly(pool, { name: `plain_${name}`, text }, values, getTypeParser);
    expect(await runPrepared(pool, { name: `fast_${name}`, text }, values, getTypeParser)).toEqual(plain);
  }
});

test.each(STATEMENTS)("%s are the same texts both ways", async (what, text, values) => {
  const pool = client as unknown as PooledConnection;
  const name = what.replaceAll(" ", "_");
  const plain = await runPlainly(pool, { name: `own_${name}`, text, asTexts: true }, values, getTypeParser);
  for (let round = 0; round < 2; round++) {
    expect(await runPrepared(pool, { name: `texts_${name}`, text, asTexts: true }, values, getTypeParser)).toEqual(
      plain,
    );
  }
});

test("rows are the same in whatever pieces their bytes arrive", async () => {
  const { connection } = client as unknown as { connection: { stream: NodeJS.ReadableStream } };
  const { stream } = connection;
  const [whole] = stream.listeners("data") as [(bytes: Buffer) => void];
  stream.removeListener("data", whole);
  let size = 1;
  stream.on("data", (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += size) whole(bytes.subarray(at, at + size));
  });
  const name = "prepared_pieces";
  const rows = (await client.query({ name: "own_pieces", text: TEXT, values: [300] })).rows;
  for (size of [1, 2, 7, 100, 5_000]) expect(await query(name, TEXT, [300])).toEqual(rows);
});

test("an error ends only its own statement, whether it comes from Postgres, a parser or the values", async () => {
  const text = "select 10 / $1::int as result";
  for (let round = 0; round < 2; round++) {
    await expect(query("prepared_division", text, [0])).rejects.toMatchObject({ code: "22012" });
    expect(await query("prepared_division", text, [5])).toEqual([{ result: 2 }]);
  }
  const unreadable = { toPostgres: () => expect.unreachable("this value cannot be sent") };
  await expect(query("prepared_division", text, [unreadable])).rejects.toThrow("cannot be sent");
  expect(await query("prepared_division", text, [5])).toEqual([{ result: 2 }]);

  const parserOf = () => () => expect.unreachable("this column cannot be read");
  const failing = new PreparedQuery({ name: "prepared_unread", text: "select now() as at" }, [], parserOf);
  await expect(failing.run(client as unknown as pg.PoolClient)).rejects.toThrow("cannot be read");
  expect(await query("prepared_division", text, [5])).toEqual([{ result: 2 }]);
});

test("pg calls all that a prepared statement replaces", () => {
  const replaced = METHODS.filter((name) => name !== "constructor");
  expect(replaced).toContain("handleReadyForQuery");
  for (const name of replaced) expect(pg.Query.prototype, name).toHaveProperty(name);
});

test("a connection that ends with statements in progress ends each of them once", async () => {
  client.on("error", () => {});
  const running = Promise.allSettled([
    query("prepared_sleep", "select pg_sleep($1)::text as slept", [20]),
    client.query("select 1"),
  ]);
  const { processID } = client as unknown as { processID: number };
  const other = new pg.Client({ connectionString: inject("stack").databaseUrl });
  await other.connect();
  await other.query("select pg_terminate_backend($1)", [processID]);
  await other.end();
  expect(await running).toMatchObject([
    { status: "rejected", reason: { code: "57P01" } },
    { status: "rejected", reason: { message: expect.stringMatching(/terminated/) } },
  ]);
  await expect(query("prepared_late", "select 1", [])).rejects.toThrow(/not queryable/);
});
