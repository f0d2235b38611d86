import type { Db } from "./ports/ports.ts";

/**
 * Inserts one row.
 * @param table and the keys of `row` are names in SQL: write them in code, never take them from input
 */
export async function insertRow(db: Db, table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
  const columns = Object.keys(row);
  const values = columns.map((_, index) => `$${index + 1}`);
  await db.query({ text: `insert into ${table} (${columns.join(", ")}) values (${values.join(", ")})` }, [
    ...Object.values(row),
  ]);
}
