import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { PreparedQuery } from "../src/adapters/prepared-query.ts";

/**
 * What prepared statements take for granted of pg's private parts. When an upgrade of pg fails this, change
 * src/adapters/prepared-query.ts, or replace it with `client.query({ name, text, values })`: the rows are the same.
 */

type Wire = Record<string, (...values: unknown[]) => unknown>;

const MESSAGES = ["parse", "bind", "describe", "execute", "sync", "close", "flush", "query"];
let client: pg.Client;
let sent: string[];

beforeEach(async () => {
  client = new pg.Client({ connectionString: inject("stack").databaseUrl });
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

test("a prepared statement asks for its columns once, and its rows are those of pg's own query", async () => {
  const name = "prepared_rows";
  const own = (await client.query({ name: "own_rows", text: TEXT, values: [3] })).rows;
  sent = [];
  expect(await query(name, TEXT, [3])).toEqual(own);
  expect(sent).toEqual(["parse", "bind", "describe", "execute", "sync"]);
  sent = [];
  expect(await query(name, TEXT, [3])).toEqual(own);
  expect(sent).toEqual(["bind", "execute", "sync"]);
});

test("an error ends its own statement alone, whether it is Postgres' or a parser's or in the values", async () => {
  const text = "select 10 / $1::int as result";
  for (let round = 0; round < 2; round++) {
    await expect(query("prepared_division", text, [0])).rejects.toMatchObject({ code: "22012" });
    expect(await query("prepared_division", text, [5])).toEqual([{ result: 2 }]);
  }
  const unreadable = { toPostgres: () => expect.unreachable("this value cannot be sent") };
  await expect(query("prepared_division", text, [unreadable])).rejects.toThrow("cannot be sent");
  expect(await query("prepared_division", text, [5])).toEqual([{ result: 2 }]);

  const parserOf = () => () => expect.unreachable("this column cannot be read");
  const failing = new PreparedQuery({ name: "prepared_unread", text: "select 1 as one" }, [], parserOf);
  await expect(failing.run(client as unknown as pg.PoolClient)).rejects.toThrow("cannot be read");
  expect(await query("prepared_division", text, [5])).toEqual([{ result: 2 }]);
});

test("pg calls all that a prepared statement replaces", () => {
  const replaced = Object.getOwnPropertyNames(PreparedQuery.prototype).filter(
    (name) => name !== "constructor" && name !== "run",
  );
  expect(replaced).toContain("handleReadyForQuery");
  for (const name of replaced) expect(pg.Query.prototype, name).toHaveProperty(name);
});

test("a connection that ends with statements on their way ends each of them once", async () => {
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
