import { expect, test } from "vitest";
import { app } from "../support/app.ts";

/** How statements run: the same whether Postgres was asked for their columns just now or long ago. */

const EVERY_TYPE = {
  name: "test_every_type",
  text: `
    select n, n::bigint as big, n::numeric / 4 as part, 'text ' || n as text, null::uuid as nothing,
           array['019a0000-0000-7000-8000-000000000001']::uuid[] as ids, '{}'::uuid[] as no_ids,
           jsonb_build_object('a', n) as json, n > 1 as more, '2026-01-02T03:04:05.67Z'::timestamptz as at
    from generate_series(1, $1::int) n`,
};
const row = (n: number) => ({
  n,
  big: n,
  part: n / 4,
  text: `text ${n}`,
  nothing: null,
  ids: ["019a0000-0000-7000-8000-000000000001"],
  no_ids: [],
  json: { a: n },
  more: n > 1,
  at: "2026-01-02T03:04:05.670Z",
});

test("a prepared statement returns the same, first and later, on every connection, in and out of transactions", async () => {
  const { database } = (await app()).resources;
  expect(await database.query(EVERY_TYPE, [2])).toEqual([row(1), row(2)]);
  const all = await Promise.all(Array.from({ length: 30 }, () => database.query(EVERY_TYPE, [2])));
  for (const rows of all) expect(rows).toEqual([row(1), row(2)]);
  expect(await database.transaction((tx) => tx.query(EVERY_TYPE, [1]))).toEqual([row(1)]);
  expect(await database.query(EVERY_TYPE, [0])).toEqual([]);
  const unnamed = { text: EVERY_TYPE.text };
  expect(await database.query(unnamed, [1])).toEqual([row(1)]);
});

test("an error affects only its statement; the connection stays usable", async () => {
  const { database } = (await app()).resources;
  const divide = { name: "test_divide", text: "select 10 / $1::int as result" };
  for (let round = 0; round < 30; round++) {
    await expect(database.query(divide, [0])).rejects.toMatchObject({ code: "22012" });
    expect(await database.query(divide, [5])).toEqual([{ result: 2 }]);
  }
  await expect(database.query(divide, ["no number"])).rejects.toMatchObject({ code: "22P02" });
  await expect(database.query({ name: "test_broken", text: "select from where" })).rejects.toMatchObject({
    code: "42601",
  });
});

test("a statement without rows returns none, and does its work each time", async () => {
  const { database } = (await app()).resources;
  await database.query({ text: "create table test_note (n integer)" });
  const insert = { name: "test_note", text: "insert into test_note values ($1)" };
  for (const n of [1, 2, 3]) expect(await database.query(insert, [n])).toEqual([]);
  expect(await database.query({ text: "select n from test_note order by n" })).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test("a connection that dies ends its statement with an error, and the next one works", async () => {
  const { database } = (await app()).resources;
  const sleeping = { name: "test_sleep", text: "select pg_sleep($1)::text as slept" };
  expect(await database.query(sleeping, [0])).toEqual([{ slept: "" }]);
  const lost = expect(database.query(sleeping, [20])).rejects.toThrow(/terminat/i);
  await expect
    .poll(() =>
      database.query({
        text: `select pg_terminate_backend(pid) as done from pg_stat_activity
               where query like 'select pg_sleep($1)%' and state = 'active' and datname = current_database()`,
      }),
    )
    .toEqual([{ done: true }]);
  await lost;
  expect(await database.query(sleeping, [0])).toEqual([{ slept: "" }]);
});
