import type { Background } from "../../events/background.ts";
import { addUsage, deleteFlush, readFlushes } from "./key-usage.sql.ts";

const FLUSHES = 100;
/** Rows of one statement. */
const ROWS = 500;

/**
 * Adds the counts that the buffer has to the rows of their keys and days, each once, however often this is interrupted
 * and whoever else does the same. Returns the number of added rows.
 */
export async function rollUpKeyUsage(ctx: Background, stopping: AbortSignal): Promise<{ rows: number }> {
  const { db, ports } = ctx;
  await addKept(ctx, stopping);
  let rows = 0;
  // A slice is added as a whole before the next one, because a row refuses slices before its last one.
  for (const slice of await ports.keyUsage.close()) {
    const usage = await ports.keyUsage.read(slice);
    for (let at = 0; at < usage.length; at += ROWS) {
      if (stopping.aborted) return { rows };
      await addUsage(db, slice, usage.slice(at, at + ROWS));
    }
    await ports.keyUsage.remove(slice);
    rows += usage.length;
  }
  return { rows };
}

/**
 * Puts the counts of processes that stopped while the buffer was away into it. Only the buffer knows whether it has
 * them already, because the reply to a flush may have been lost.
 */
async function addKept({ db, ports }: Background, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const flushes = await readFlushes(db, FLUSHES);
    for (const flush of flushes) {
      await ports.keyUsage.add(flush);
      await deleteFlush(db, flush);
    }
    if (flushes.length < FLUSHES) return;
  }
}
