import { Cron } from "croner";

/**
 * Schedules of automations: a cron expression with five fields, in a time zone. Where the minute and the hour are given
 * without `*` and `/`, a time in the hour that clocks skip runs as soon as that hour is over, and a time that comes twice
 * runs once. All other schedules run at the intervals that they name, also while clocks change.
 */

export type Schedule = {
  /** Minute, hour, day of the month, month, day of the week. */
  cron: string;
  /** An IANA time zone. */
  timezone: string;
};

/** The first occurrence later than an instant. Null if there is none. Instants are RFC 3339. */
export const nextOccurrence = ({ cron, timezone }: Schedule, after: string): string | null =>
  parsed(cron, timezone).nextRun(after)?.toISOString() ?? null;

/** The last occurrence at or before an instant. Null if there was none. */
export const latestOccurrence = ({ cron, timezone }: Schedule, now: string): string | null =>
  parsed(cron, timezone)
    .previousRuns(1, new Date(Date.parse(now) + 1))[0]
    ?.toISOString() ?? null;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 366 * DAY;

/** Minimum time between two occurrences. */
export const MIN_INTERVAL_MINUTES = 15;

/** What is wrong with a schedule, as the end of a sentence that begins with the field. Null if it can be used. */
export function problemOfSchedule({ cron, timezone }: Schedule, now: string): string | null {
  if (!isPlain(cron)) return "must have five fields: minute, hour, day of the month, month, day of the week";
  try {
    parsed(cron, timezone);
  } catch (error) {
    return `is not valid: ${(error as Error).message.replace(/^CronPattern: /, "")}`;
  }
  if (nextOccurrence({ cron, timezone }, now) === null) return "names a day that does not exist";
  const [first, second] = closest(cron, timezone, now) ?? [];
  if (!first || !second) return null;
  return `must leave at least ${MIN_INTERVAL_MINUTES} minutes between two runs; ${first} and ${second} are closer`;
}

const FIELD = /^[\d*,/-]+$/;
const WITH_NAMES = /^(?:[\d*,/-]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)+$/i;

/** Whether an expression has five fields without extensions such as `L`, `#` and `@daily`. */
function isPlain(cron: string): boolean {
  const fields = cron.trim().split(/\s+/);
  return fields.length === 5 && fields.every((field, n) => (n < 3 ? FIELD : WITH_NAMES).test(field));
}

const parsed = (cron: string, timezone: string) =>
  new Cron(cron, { timezone, mode: "5-part", fixedTimeRule: "no-wildcard", paused: true });

/**
 * Two occurrences that are too close. Each day has the same times, except when clocks change. So this compares the times of
 * one day and the following midnight, and the occurrences around each change of the clocks within a year.
 */
function closest(cron: string, timezone: string, now: string): [string, string] | null {
  const [minute, hour] = cron.trim().split(/\s+/);
  const midnight = Date.UTC(2000, 0, 1);
  const daily = tooClose(parsed(`${minute} ${hour} * * *`, "UTC"), midnight - 1, midnight + DAY + HOUR);
  if (daily) return [daily[0].slice(11, 16), daily[1].slice(11, 16)];
  const schedule = parsed(cron, timezone);
  for (const change of clockChanges(timezone, Date.parse(now))) {
    const found = tooClose(schedule, change - 3 * HOUR, change + 3 * HOUR);
    if (found) return found;
  }
  return null;
}

function tooClose(schedule: Cron, from: number, to: number): [string, string] | null {
  let last = schedule.nextRun(new Date(from));
  while (last && last.getTime() <= to) {
    const next = schedule.nextRun(last);
    if (next && next.getTime() - last.getTime() < MIN_INTERVAL_MINUTES * MINUTE) {
      return [last.toISOString(), next.toISOString()];
    }
    last = next;
  }
  return null;
}

/** When the clocks of a time zone change within a year, to the minute. */
function* clockChanges(timezone: string, from: number): Generator<number> {
  const offset = offsetsOf(timezone);
  for (let day = from; day < from + YEAR; day += DAY) {
    let [before, after] = [day, day + DAY];
    if (offset(before) === offset(after)) continue;
    while (after - before > MINUTE) {
      const middle = Math.floor((before + after) / 2);
      if (offset(middle) === offset(before)) before = middle;
      else after = middle;
    }
    yield after;
  }
}

/** The offset of a time zone from UTC, as a text to compare. */
function offsetsOf(timezone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat("en", { timeZone: timezone, timeZoneName: "longOffset" });
  return (at) => format.formatToParts(at).find(({ type }) => type === "timeZoneName")!.value;
}
