/** Limits that keep automations from running without end. */

/** Reactions in a chain of causes. */
export const MAX_DEPTH = 5;
/** Runs of one automation in a minute. */
export const RUNS_PER_MINUTE = 60;
/** Runs of a workspace in an hour. */
export const RUNS_PER_HOUR = 1_000;
/** An automation is disabled after so many stopped loops within an hour. */
export const MAX_LOOPS = 3;
const LOOPS_WITHIN_MS = 3_600_000;
/** An automation is disabled after so many errors in a row. */
export const MAX_FAILURES = 10;

/** Whether the last loops of an automation disable it. @param times newest first */
export const isLooping = (times: readonly string[], now: string): boolean =>
  times.length >= MAX_LOOPS && Date.parse(times[MAX_LOOPS - 1]!) > Date.parse(now) - LOOPS_WITHIN_MS;
