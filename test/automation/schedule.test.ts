import { expect, test } from "vitest";
import {
  latestOccurrence,
  nextOccurrence,
  problemOfSchedule,
} from "../../src/domain/automation/automations/schedule.ts";

const NOW = "2026-11-23T00:00:00.000Z";
const berlin = (cron: string) => ({ cron, timezone: "Europe/Berlin" });
const utc = (cron: string) => ({ cron, timezone: "UTC" });

/** The next occurrences, without their seconds. */
function following(schedule: { cron: string; timezone: string }, from: string, count: number): string[] {
  const found: string[] = [];
  for (let at = from; found.length < count; ) {
    at = nextOccurrence(schedule, at)!;
    found.push(at.slice(0, 16));
  }
  return found;
}

test("a schedule runs at the local time of its zone", () => {
  expect(following(berlin("0 9 * * mon-fri"), "2026-10-22T08:00:00.000Z", 3)).toEqual([
    "2026-10-23T07:00",
    "2026-10-26T08:00",
    "2026-10-27T08:00",
  ]);
  expect(following({ cron: "15 8 * * *", timezone: "Asia/Kathmandu" }, NOW, 1)).toEqual(["2026-11-23T02:30"]);
});

test("an instant is neither its own next occurrence nor missing from the latest ones", () => {
  const at = "2026-11-23T09:00:00.000Z";
  expect(nextOccurrence(utc("0 9 * * *"), at)).toBe("2026-11-24T09:00:00.000Z");
  expect(latestOccurrence(utc("0 9 * * *"), at)).toBe(at);
  expect(latestOccurrence(utc("0 9 * * *"), "2026-11-23T08:59:59.999Z")).toBe("2026-11-22T09:00:00.000Z");
});

test("a time that clocks skip runs when the skipped hour is over", () => {
  const around = following(berlin("30 2 * * *"), "2027-03-26T12:00:00.000Z", 3);
  expect(around).toEqual(["2027-03-27T01:30", "2027-03-28T01:00", "2027-03-29T00:30"]);
  expect(following(berlin("30 2,14 * * *"), "2027-03-27T20:00:00.000Z", 2)).toEqual([
    "2027-03-28T01:00",
    "2027-03-28T12:30",
  ]);
});

test("a time that comes twice runs once, at its first occurrence", () => {
  const around = following(berlin("30 2 * * *"), "2027-10-30T12:00:00.000Z", 2);
  expect(around).toEqual(["2027-10-31T00:30", "2027-11-01T01:30"]);
  expect(following(berlin("30 2,14 * * *"), "2027-10-30T20:00:00.000Z", 2)).toEqual([
    "2027-10-31T00:30",
    "2027-10-31T13:30",
  ]);
});

test("an interval stays the same while clocks change", () => {
  for (const from of ["2027-03-28T00:15:00.000Z", "2027-10-31T00:15:00.000Z"]) {
    const times = following(berlin("*/30 * * * *"), from, 6).map((time) => Date.parse(`${time}Z`));
    const gaps = times.slice(1).map((time, n) => time - times[n]!);
    expect(new Set(gaps)).toEqual(new Set([30 * 60_000]));
  }
});

test.each([
  ["*/15 * * * *"],
  ["0,15,30,45 8-17 * * 1-5"],
  ["0 0 29 2 *"],
  ["0 12 1 JAN,jul *"],
  ["5 4 * * 7"],
  [" 0  9 * * * "],
])("%s is a schedule", (cron) => {
  expect(problemOfSchedule(berlin(cron), NOW)).toBeNull();
});

test.each([
  ["*/14 * * * *", "00:00 and 00:14 are closer"],
  ["* * * * *", "00:00 and 00:01 are closer"],
  ["0,50 0,23 * * *", "23:50 and 00:00 are closer"],
  // On the day on which clocks go forward, 02:10 runs at 03:00.
  ["10 2,3 * * *", "2027-03-28T01:00:00.000Z and 2027-03-28T01:10:00.000Z are closer"],
  ["0 0 30 2 *", "a day that does not exist"],
  ["61 * * * *", "is not valid: Invalid value for minute: 61"],
  ["1-0 * * * *", "is not valid"],
  ["", "must have five fields"],
  ["* * * *", "must have five fields"],
  ["0 0 * * * *", "must have five fields"],
  ["@daily", "must have five fields"],
  ["0 0 L * *", "must have five fields"],
  ["0 0 * * mon#1", "must have five fields"],
  ["0 0 * * ?", "must have five fields"],
])("%j is not a schedule: %s", (cron, problem) => {
  expect(problemOfSchedule(berlin(cron), NOW)).toContain(problem);
});

test("the same expression may be fine in a zone without daylight saving time", () => {
  expect(problemOfSchedule(utc("10 2,3 * * *"), NOW)).toBeNull();
});
