import { expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { migrate } from "../../src/migrate.ts";
import { app } from "../support/app.ts";

/** Migrations that build indexes run outside a transaction, so they must be able to begin anew. */

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
