import type { Background } from "../../events/background.ts";

/**
 * Indexes rows that were written before search existed. Writing a column without changing it runs the trigger that
 * indexes the row. Two workers may do it at once: each skips the rows of the other.
 */

/** The column to write, and the one that is null until the row is indexed. */
const TABLES = {
  issue: ["title", "search_head"],
  doc: ["title", "search"],
  comment: ["body_md", "search"],
  doc_comment: ["body_md", "search"],
  chat_message: ["body_md", "search"],
  label: ["name", "search"],
} as const;

/**
 * Rows of a statement. The longest texts take half a second each, so it ends before writers of these rows stop waiting for
 * them, and long before its own limit.
 */
const BATCH = 10;

/** Returns the number of rows that were indexed. */
export async function indexOldRows({ database }: Background, stopping: AbortSignal): Promise<number> {
  let indexed = 0;
  for (const [table, [column, vector]] of Object.entries(TABLES)) {
    for (let rows = BATCH; rows === BATCH && !stopping.aborted; indexed += rows) {
      const done = await database.query({
        name: `index_old_${table}`,
        text: `
          update ${table} set ${column} = ${column}
          where id in (select id from ${table} where ${vector} is null order by id limit ${BATCH} for no key update skip locked)
          returning 1`,
      });
      rows = done.length;
    }
  }
  return indexed;
}
