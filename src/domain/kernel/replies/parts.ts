/**
 * Replies to calls with an Idempotency-Key are kept for a day, in tables of four hours each that are used in rotation.
 * All tables exist from the beginning, and an expired one is emptied at once. Finding a key queries every table, so
 * there are as few tables as possible.
 */

const PART_MS = 4 * 3_600_000;
const KEPT_MS = 24 * 3_600_000;

/** The current table, the six of the past day, one for processes whose clocks are ahead, and one to be emptied. */
export const PARTS = 9;

/** The largest expected difference between the clocks of processes. */
const MARGIN_MS = 10 * 60_000;

const tableOf = (ms: number): number => Math.floor(ms / PART_MS) % PARTS;

/** Returns the number of the table for a time, given as RFC 3339. */
export const partAt = (now: string): number => tableOf(Date.parse(now));

/** Returns the number of the table whose replies are all more than a day old at `now`; null if there is none. */
export function partOver(now: string): number | null {
  const ms = Date.parse(now);
  const [oldest, ahead] = [tableOf(ms - KEPT_MS - PART_MS - MARGIN_MS), tableOf(ms + PART_MS)];
  const inUse = [tableOf(ms), ahead, tableOf(ms - KEPT_MS - MARGIN_MS)];
  return inUse.includes(oldest) ? null : oldest;
}
