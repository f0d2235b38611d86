import { expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { migrate } from "../../src/migrate.ts";
import { app } from "../support/app.ts";
import { expectSoundCounts } from "../support/counts.ts";
import { world } from "../support/world.ts";

/** Migrations that build indexes or change rows in pieces run outside a transaction, so they must be repeatable. */

const NAME = "0097-fields-of-issues";

const INDEXES = `
  select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition, indisvalid as valid
  from pg_index where indrelid in ('issue'::regclass, 'comment'::regclass) order by 1`;

test("a migration of indexes that was interrupted at any step begins anew, and ends with the same indexes", async () => {
  const { resources, config } = await app();
  const query = <Row>(text: string) => resources.database.query<Row>({ text }, []);
  const wanted = await query<{ valid: boolean }>(INDEXES);
  expect(wanted.every(({ valid }) => valid)).toBe(true);

  const leftovers = [
    // It had begun to build.
    "create index issue_by_fields_new on issue (id) where false",
    // It had removed the old index, but not renamed the new one.
    "alter index issue_by_fields rename to issue_by_fields_new",
    // It was done, but that was not recorded.
    "select 1",
  ];
  for (const leftover of leftovers) {
    await query(leftover);
    await query(`delete from migration where name = '${NAME}'`);
    const ran = await migrate(readConfig({ NODE_ENV: "test", LOG_LEVEL: "silent", DATABASE_URL: config.DATABASE_URL }));
    expect(ran, leftover).toEqual([NAME]);
    expect(await query(INDEXES), leftover).toEqual(wanted);
  }
});

test("a migration that changes rows in pieces gives existing issues their days and counts, however often it runs", async () => {
  const here = await world();
  const { owner, sql } = here;
  const { config } = await app();
  const epic = (await owner.post("P/issues", { title: "Epic", type: "epic" }).expect(201)).data;
  const story = (await owner.post("P/issues", { title: "Story", epic: epic.key, status: "cancelled" }).expect(201))
    .data;
  await owner.post("P/issues", { title: "Task", parent: story.key, status: "cancelled" }).expect(201);
  await owner.post("P/issues", { title: "Day", due_at: "2027-01-15", start_at: "2027-01-14T12:00:00Z" }).expect(201);
  const rows = () =>
    sql("select key, start_on, due_on, child_cancelled_count from issue where workspace_id = $1 order by number", [
      here.workspace.id,
    ]);
  const wanted = await rows();
  expect(wanted[0]).toMatchObject({ child_cancelled_count: 2 });
  const names = ["0150-whole-days", "0155-cancelled-children"];
  await sql("update issue set due_on = null, child_cancelled_count = 0 where workspace_id = $1", [here.workspace.id]);
  for (let times = 0; times < 2; times++) {
    await sql("delete from migration where name = any($1)", [names]);
    const ran = await migrate(readConfig({ NODE_ENV: "test", LOG_LEVEL: "silent", DATABASE_URL: config.DATABASE_URL }));
    expect(ran).toEqual(names);
    expect(await rows()).toEqual(wanted);
  }
  await expectSoundCounts(here);
});
