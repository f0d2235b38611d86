import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { presentStatement } from "../../src/domain/kernel/present.sql.ts";
import { world } from "../support/world.ts";

/** Reads of issues while changes of very many are to come; see src/domain/kernel/present.sql.ts. */

const SRC = join(import.meta.dirname, "../../src");
const files = globSync("**/*.ts", { cwd: SRC }).map((file) => ({ file, text: readFileSync(join(SRC, file), "utf8") }));

test("the views have the columns of their tables, in the same order", async () => {
  const { sql } = await world();
  for (const table of ["issue", "custom_field_value"]) {
    const columns = (name: string) =>
      sql(
        `select column_name, data_type from information_schema.columns where table_name = $1 order by ordinal_position`,
        [name],
      );
    expect(await columns(`${table}_now`), `Add the column to ${table}_now in a migration.`).toEqual(
      await columns(table),
    );
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
  const now = (text: string) => presentStatement({ text }).text;
  expect(now("select 1 from issue i join issue p on true")).toBe("select 1 from issue_now i join issue_now p on true");
  for (const text of ["update issue set x = 1", "select from only issue", "delete from custom_field_value v"]) {
    expect(now(text)).toBe(text);
  }
  expect(presentStatement({ name: "a", text: "select from issue_counter" })).toEqual({
    name: "a",
    text: "select from issue_counter",
  });
  expect(presentStatement({ name: "a", text: "select from issue" }).name).toBe("a_now");
});
