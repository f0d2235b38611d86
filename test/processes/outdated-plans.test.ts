import { expect, test } from "vitest";
import { app } from "../support/app.ts";

/** A migration may change the type of a column while processes run that have prepared statements about it. */

test("statements run on after a migration has changed their columns, on connections old and new", async () => {
  const { database } = (await app()).resources;
  await database.query({ text: "create table probe as select 1 as n" });
  const statement = { name: "read_probe", text: "select n from probe" };
  const parallel = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 8 }, work));
  const read = () => database.query<{ n: unknown }>(statement);
  const written = () => database.transaction((tx) => tx.query<{ n: unknown }>(statement));
  expect(await parallel(read)).toEqual(Array(8).fill([{ n: 1 }]));

  await database.query({ text: "alter table probe alter column n type text using n || 'st'" });
  expect(await parallel(read)).toEqual(Array(8).fill([{ n: "1st" }]));
  expect(await parallel(written)).toEqual(Array(8).fill([{ n: "1st" }]));

  await database.query({ text: "alter table probe alter column n type jsonb using jsonb_build_array(n)" });
  expect(await parallel(written)).toEqual(Array(8).fill([{ n: ["1st"] }]));
  expect(await parallel(read)).toEqual(Array(8).fill([{ n: ["1st"] }]));
});

test("a connection that prepares a statement asks for its columns, which may not be those of another one", async () => {
  const { database } = (await app()).resources;
  await database.query({ text: "create table fresh as select 1 as n" });
  const statement = { name: "read_fresh", text: "select n from fresh" };
  expect(await database.query(statement)).toEqual([{ n: 1 }]);
  await database.query({ text: "alter table fresh alter column n type text using n || 'st'" });
  await database.query({
    text: "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()",
  });
  await expect.poll(() => database.query(statement).catch(() => null)).toEqual([{ n: "1st" }]);
});
