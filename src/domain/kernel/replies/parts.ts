/**
 * Replies to calls with an Idempotency-Key are kept for a day, in tables of four hours each that are used in turn: none
 * has to be made in time, none is ever missing, and one that is over is emptied at once. Looking a key up asks every
 * table, so there are as few as make sense.
 */

const PART_MS = 4 * 3_600_000;
const KEPT_MS = 24 * 3_600_000;

/** The one in use, the six of the day before, one that clocks ahead may use already, and one to be emptied. */
export const PARTS = 9;

/** Clocks of processes may differ by so much. */
const MARGIN_MS = 10 * 60_000;

const tableOf = (ms: number): number => Math.floor(ms / PART_MS) % PARTS;

/** The table of an instant, given as RFC 3339. */
export const partAt = (now: string): number => tableOf(Date.parse(now));

/** The table whose replies are all more than a day old at `now`; null when there is none just then. */
export function partOver(now: string): number | null {
  const ms = Date.parse(now);
  const [oldest, ahead] = [tableOf(ms - KEPT_MS - PART_MS - MARGIN_MS), tableOf(ms + PART_MS)];
  const inUse = [tableOf(ms), ahead, tableOf(ms - KEPT_MS - MARGIN_MS)];
  return inUse.includes(oldest) ? null : oldest;
}
