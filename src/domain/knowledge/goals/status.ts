/** The status of a goal, which follows from its progress, its cycle and the time. */

export const GOAL_STATUSES = ["on_track", "at_risk", "off_track", "done", "not_started"] as const;
export type GoalStatus = (typeof GOAL_STATUSES)[number];

/** The statuses that a person can set. */
export const STATUS_OVERRIDES = ["on_track", "at_risk", "off_track", "done"] as const;

/** What the status follows from. */
export type Measured = {
  status_override: (typeof STATUS_OVERRIDES)[number] | null;
  /** A fraction from 0 to 1; null if nothing is measured. */
  progress: number | null;
  /** The progress as shown: 100 only if all is done, 0 only if nothing is. */
  progress_pct: number | null;
  /** When the cycle begins and ends. Days do so in the workspace's zone. */
  cycle_starts: string | null;
  cycle_ends: string | null;
};

export type Standing = {
  status: GoalStatus;
  /** The share of the cycle that is over, in percent; null if a date is missing. */
  expected_progress_pct: number | null;
  /** When the status may change although nothing else does, in RFC 3339; null if it stays. */
  until: string | null;
};

/** A goal that is behind the elapsed share of its cycle by more than this is at risk, or off track. */
const AT_RISK = 0.1;
const OFF_TRACK = 0.25;
/** Differences of fractions that come from rounding only. */
const NOISE = 1e-9;

/** RFC 3339 has no later years. */
const NEVER = Date.UTC(9999, 11, 31);

/** @param now RFC 3339 */
export function standingOf(goal: Measured, now: string): Standing {
  const at = Date.parse(now);
  const start = goal.cycle_starts === null ? null : Date.parse(goal.cycle_starts);
  const end = goal.cycle_ends === null ? null : Date.parse(goal.cycle_ends);
  const elapsed = start === null || end === null ? null : elapsedShare(start, end, at);
  const expected_progress_pct = elapsed === null ? null : Math.round(elapsed * 100);
  const stays = (status: GoalStatus): Standing => ({ status, expected_progress_pct, until: null });

  if (goal.status_override !== null) return stays(goal.status_override);
  const { progress: p, progress_pct: pct } = goal;
  if (p === null || pct === null) return stays("not_started");
  if (pct === 100) return stays("done");
  if (end !== null && at >= end) return stays("off_track");

  const changesAt = (...moments: number[]) => {
    const next = moments.filter((moment) => moment > at && moment < NEVER).sort((a, b) => a - b)[0];
    return next === undefined ? null : new Date(next).toISOString();
  };
  if (start === null || end === null || elapsed === null) {
    const until = end === null ? null : changesAt(end);
    return { status: pct > 0 ? "on_track" : "not_started", expected_progress_pct, until };
  }
  if (at < start && pct === 0) return { status: "not_started", expected_progress_pct, until: changesAt(start) };
  const behind = elapsed - p;
  const status = behind <= AT_RISK + NOISE ? "on_track" : behind <= OFF_TRACK + NOISE ? "at_risk" : "off_track";
  const after = (share: number) => Math.ceil(start + (p + share + 2 * NOISE) * (end - start)) + 1;
  return { status, expected_progress_pct, until: changesAt(after(AT_RISK), after(OFF_TRACK), end) };
}

function elapsedShare(start: number, end: number, at: number): number {
  if (at >= end) return 1;
  return at <= start ? 0 : (at - start) / (end - start);
}
