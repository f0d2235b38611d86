import type { Database } from "../ports/ports.ts";
import { partOver } from "./parts.ts";

const LOCKED = "55P03";

/**
 * Empties the table whose replies are all more than a day old. Returns how many tables were emptied, 0 or 1. A table
 * that is in use is skipped until the next run, because other calls would wait for the lock on it.
 */
export async function emptyPart(database: Database, now: string): Promise<number> {
  const part = partOver(now);
  if (part === null) return 0;
  const table = `idempotent_reply_${part}`;
  const [row] = await database.query({ text: `select 1 from ${table} limit 1` });
  if (!row) return 0;
  try {
    await database.transaction((tx) => tx.query({ text: `truncate ${table}` }), "set local lock_timeout = 300");
    return 1;
  } catch (error) {
    if ((error as { code?: string }).code === LOCKED) return 0;
    throw error;
  }
}
