import { refuse } from "../../kernel/errors.ts";
import { dayIn, startOfDayIn } from "../../kernel/locale.ts";
import { addDays, daysBetween, mondayOf } from "./days.ts";
import type { ReportParams } from "./params.ts";

/** Periods of reports: days, ISO weeks and months, in a time zone. */

export const INTERVALS = ["day", "week", "month"] as const;
export type Interval = (typeof INTERVALS)[number];

/** First and last day. */
export type Period = { start: string; end: string };

/** A year of days. */
const MAX_PERIODS = 366;

/** Number of periods if the caller does not say from when, including the present one. */
const PERIODS = 12;

/**
 * Returns the periods from the first to the last day. Without a first day there are twelve; without a last one they end
 * with the whole present period. The first and the last one are cut where the range begins and ends.
 * @throws Refusal invalid_parameter
 */
export function periodsOf(now: string, { from, to, interval = "week", timezone }: ReportParams): Period[] {
  const today = dayIn(now, timezone);
  const last = to ?? endOf(latest(today, from ?? today), interval);
  const first = from ?? startBefore(last, interval);
  const count = countOf(startOf(first, interval), last, interval);
  if (count > MAX_PERIODS) {
    const message = `interval: from ${first} to ${last} there are more than ${MAX_PERIODS} periods. Take a longer interval or a shorter time.`;
    refuse("invalid_parameter", { message, parameter: "interval", maximum: MAX_PERIODS, allowed: INTERVALS });
  }
  const periods: Period[] = [];
  for (let start = first; start <= last; start = addDays(periods.at(-1)!.end, 1)) {
    const end = endOf(start, interval);
    periods.push({ start, end: earliest(end, last) });
  }
  return periods;
}

/**
 * Returns the instants at which the first day begins and the last one ends. Without a first day, the range has the given
 * number of days.
 */
export function rangeOf(
  now: string,
  { from, to, timezone }: ReportParams,
  days: number,
): { since: string; until: string | null } {
  const until = to === undefined ? null : startOfDayIn(addDays(to, 1), timezone);
  if (from !== undefined) return { since: startOfDayIn(from, timezone), until };
  const end = Date.parse(until ?? now);
  return { since: new Date(end - days * 86_400_000).toISOString(), until };
}

// Days sort as text.
const latest = (a: string, b: string) => (a > b ? a : b);
const earliest = (a: string, b: string) => (a < b ? a : b);

function startOf(day: string, interval: Interval): string {
  if (interval === "month") return `${day.slice(0, 8)}01`;
  return interval === "week" ? mondayOf(day) : day;
}

function endOf(day: string, interval: Interval): string {
  if (interval === "month") return addDays(startOf(addDays(startOf(day, interval), 31), interval), -1);
  return interval === "week" ? addDays(mondayOf(day), 6) : day;
}

/** The start of the first of the periods that end with the day's. */
function startBefore(day: string, interval: Interval): string {
  let start = startOf(day, interval);
  for (let n = 1; n < PERIODS; n++) start = startOf(addDays(start, -1), interval);
  return start;
}

function countOf(first: string, last: string, interval: Interval): number {
  if (interval === "month") {
    const [a, b] = [first, last].map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)));
    return b! - a! + 1;
  }
  return Math.floor(daysBetween(first, last) / (interval === "week" ? 7 : 1)) + 1;
}
