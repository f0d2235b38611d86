import { expect, test } from "vitest";
import type { Transaction } from "../../src/domain/kernel/ports/ports.ts";
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

test("statements of a transaction that are sent together run in order, and the first error is the one that is thrown", async () => {
  const { database } = (await app()).resources;
  await database.query({ text: "create table test_sent (n integer primary key)" });
  const insert = { name: "test_sent", text: "insert into test_sent values ($1)" };
  const numbers = { name: "test_sent_numbers", text: "select n from test_sent order by n" };
  const fails = { code: "23505" };

  const seen = await database.transaction(async (tx) => {
    tx.send(insert, [1]);
    const [one] = await Promise.all([tx.query(numbers), tx.query(insert, [2])]);
    tx.send(insert, [3]);
    return one;
  });
  expect(seen).toEqual([{ n: 1 }]);
  const stored = [{ n: 1 }, { n: 2 }, { n: 3 }];
  expect(await database.query(numbers)).toEqual(stored);

  const failing: ((tx: Transaction) => Promise<unknown>)[] = [
    async (tx) => tx.send(insert, [1]),
    async (tx) => {
      tx.send(insert, [4]);
      tx.send(insert, [1]);
      return tx.query(numbers);
    },
    (tx) =>
      Promise.all([tx.query(insert, [4]), tx.query(insert, [1]), tx.query({ text: "select 1" }), tx.query(numbers)]),
    (tx) => tx.query(insert, [1]).catch(() => {}),
    (tx) => tx.savepoint(async () => tx.send(insert, [1])),
  ];
  for (const work of failing) await expect(database.transaction(work)).rejects.toMatchObject(fails);
  const refused = new Error("what the caller makes of it");
  const renamed = database.transaction((tx) => tx.query(insert, [1]).catch(() => Promise.reject(refused)));
  await expect(renamed).rejects.toBe(refused);
  expect(await database.query(numbers)).toEqual(stored);

  await database.transaction(async (tx) => {
    tx.send(insert, [4]);
    await expect(tx.savepoint(async () => tx.send(insert, [1]))).rejects.toMatchObject(fails);
    tx.send(insert, [5]);
  });
  expect(await database.query(numbers)).toEqual([...stored, { n: 4 }, { n: 5 }]);
});

test("of statements that are sent together, all after one that waits too long for a lock fail with its error", async () => {
  const { database } = (await app()).resources;
  await database.query({ text: "create table test_locked as select 1 as n" });
  const codes = await database.transaction(async (tx) => {
    await tx.query({ text: "lock table test_locked" });
    const given = new Error("seen enough");
    const seen: unknown[] = [];
    const again = { name: `test_never_prepared_${process.pid}`, text: "select 2" };
    const statements = [{ text: "select n from test_locked" }, { text: "select 3" }, again, again];
    const late = database.transaction(async (other) => {
      const ended = await Promise.allSettled(statements.map((one) => other.query(one)));
      seen.push(...ended.map((one) => one.status === "rejected" && one.reason.code));
      throw given;
    }, "set local lock_timeout = 50");
    await expect(late).rejects.toBe(given);
    return seen;
  });
  expect(codes).toEqual(["55P03", "55P03", "55P03", "55P03"]);
});

test("what still runs when a transaction has failed does not run after it", async () => {
  const { database } = (await app()).resources;
  await database.query({ text: "create table test_late (n integer)" });
  const insert = { name: "test_late", text: "insert into test_late values ($1)" };
  const late: Promise<unknown>[] = [];
  const failed = database.transaction(async (tx) => {
    const goesOn = tx.query({ text: "select pg_sleep(0.1)" }).then(() => tx.query(insert, [1]));
    late.push(goesOn.catch((error: Error) => error.message));
    await Promise.all([goesOn, Promise.reject(new Error("refused"))]);
  });
  await expect(failed).rejects.toThrow("refused");
  expect(await Promise.all(late)).toEqual(["The transaction is over."]);
  expect(await database.query({ text: "select n from test_late" })).toEqual([]);
});
