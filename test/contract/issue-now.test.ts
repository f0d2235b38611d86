import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isLive, presentStatement } from "../../src/domain/kernel/present.sql.ts";
import { world } from "../support/world.ts";

/** Reads of issues while changes of very many are to come; see src/domain/kernel/present.sql.ts. */

const SRC = join(import.meta.dirname, "../../src");
const files = globSync("**/*.ts", { cwd: SRC }).map((file) => ({ file, text: readFileSync(join(SRC, file), "utf8") }));

test("the views have the columns of their tables, in the same order", async () => {
  const { sql } = await world();
  const views = { issue: ["issue_now", "issue_planned_now"], custom_field_value: ["custom_field_value_now"] };
  for (const [table, names] of Object.entries(views)) {
    const columns = (name: string) =>
      sql(
        `select column_name, data_type from information_schema.columns
         where table_name = $1 and column_name not like 'stored\\_%' order by ordinal_position`,
        [name],
      );
    for (const view of names) {
      expect(await columns(view), `Add the column to ${view} in a migration.`).toEqual(await columns(table));
    }
  }
});

test("statements that lock issues read the stored rows", () => {
  const locking = /\b(from|join)\s+issue\b(?:(?!\b(?:select|update|from)\b)[^;`])*?\bfor (no key )?update/;
  expect(files.filter(({ text }) => locking.test(text)).map(({ file }) => file)).toEqual([]);
});

test("whoever locks an issue makes first what is to come for it", () => {
  const lockers = files.filter(({ text }) => text.includes("lockIssueRows(")).map(({ file }) => file);
  expect(lockers.sort()).toEqual(["domain/kernel/locks.sql.ts", "domain/work/mass-changes/settle.ts"]);
});

test("reads are replaced, and writes and stored rows are not", () => {
  const all = { columns: true, values: true };
  const now = (text: string) => presentStatement({ text }, all).text;
  expect(now("select 1 from issue i join issue p on true")).toBe("select 1 from issue_now i join issue_now p on true");
  for (const text of ["update issue set x = 1", "select from only issue", "delete from custom_field_value v"]) {
    expect(now(text)).toBe(text);
  }
  const counter = { name: "a", text: "select from issue_counter" };
  expect(presentStatement(counter, all)).toEqual(counter);
  // A name for each text.
  const names = [true, false].flatMap((columns) =>
    [true, false].map(
      (values) =>
        presentStatement({ name: "a", text: "select from issue join custom_field_value" }, { columns, values }).name,
    ),
  );
  expect(new Set(names).size).toBe(4);
});

test("conditions of live issues name what is stored, too, because indexes have only that", () => {
  const text = `select from project p join issue i on true where ${isLive("i")} and p.archived_at is null`;
  expect(presentStatement({ text }, { columns: true, values: false }).text).toBe(
    `select from project p join issue_now i on true where (i.stored_archived_at is null and i.stored_stays) and p.archived_at is null`,
  );
  expect(presentStatement({ text }, { columns: false, values: false }).text).toBe(
    text.replace("issue", "issue_planned_now"),
  );
});
