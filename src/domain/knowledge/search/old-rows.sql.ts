import type { Background } from "../../events/background.ts";

/**
 * Indexes rows that were written before search existed. Writing a column without changing it runs the trigger that
 * indexes the row. Two workers may do it at once: each skips the rows of the other.
 */

/** The column to write, the one that is null until the row is indexed, and the key. */
const TABLES = {
  issue: ["title", "search_head", "id"],
  doc: ["title", "search", "id"],
  comment: ["body_md", "search", "id"],
  doc_comment: ["body_md", "search", "id"],
  chat_message: ["body_md", "search", "id"],
  label: ["name", "search", "id"],
  project: ["name", "search", "id"],
  goal: ["title", "search", "id"],
  member: ["user_id", "search", "workspace_id, user_id"],
} as const;

/**
 * Rows of a statement. The longest texts take half a second each, so it ends before writers of these rows stop waiting for
 * them, and long before its own limit.
 */
const BATCH = 10;

/** Returns the number of rows that were indexed. */
export async function indexOldRows({ database }: Background, stopping: AbortSignal): Promise<number> {
  let indexed = 0;
  for (const [table, [column, vector, key]] of Object.entries(TABLES)) {
    for (let rows = BATCH; rows === BATCH && !stopping.aborted; indexed += rows) {
      const done = await database.query({
        name: `index_old_${table}`,
        text: `
          update ${table} set ${column} = ${column}
          where (${key}) in (
            select ${key} from ${table} where ${vector} is null order by ${key} limit ${BATCH} for no key update skip locked)
          returning 1`,
      });
      rows = done.length;
    }
  }
  return indexed;
}
