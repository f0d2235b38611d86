import { beforeAll, expect, test } from "vitest";
import { day, earlyEnough, pass } from "../support/history.ts";
import { change, eventfulSprint, inPoints, make, makeSprint, plan, report } from "../support/reports.ts";
import { world } from "../support/world.ts";

/** Figures that were computed by hand, with their derivation. */

beforeAll(earlyEnough, 120_000);

type Fields = Record<string, unknown>;

const NOTHING_YET = {
  scope: null,
  completed: null,
  remaining: null,
  scope_issues: null,
  completed_issues: null,
  remaining_issues: null,
  scope_points: null,
  completed_points: null,
  remaining_points: null,
};

type Pair = readonly [issues: number, points: number];

/** A point in points: date, ideal, then scope, completed and remaining. */
const point = (date: string, ideal: number, scope: Pair, completed: Pair, remaining: Pair) => ({
  date,
  ideal,
  scope: scope[1],
  completed: completed[1],
  remaining: remaining[1],
  scope_issues: scope[0],
  scope_points: scope[1],
  completed_issues: completed[0],
  completed_points: completed[1],
  remaining_issues: remaining[0],
  remaining_points: remaining[1],
});

const eventfulPoints = [
  // 10 points over the 5 days between the first and the last: 2 per day.
  point(day(-6), 10, [3, 10], [0, 0], [3, 10]),
  // + D 4; A 3 done; left B 5 + C 2 + D 4
  point(day(-5), 8, [4, 14], [1, 3], [3, 11]),
  // + 3 for B, - C 2; left B 8 + D 4
  point(day(-4), 6, [3, 15], [1, 3], [2, 12]),
  // + C 2; nothing is done any more; left A 3 + B 8 + C 2 + D 4
  point(day(-3), 4, [4, 17], [0, 0], [4, 17]),
  // - B 8; D failed: no longer to do, and not completed; left A 3 + C 2
  point(day(-2), 2, [3, 9], [0, 0], [2, 5]),
  // + B 8; C 2 done; left A 3 + B 8
  point(day(-1), 0, [4, 17], [1, 2], [2, 11]),
  // A cancelled; left B 8
  point(day(0), 0, [4, 17], [1, 2], [1, 8]),
];

test("a burndown shows every kind of change in a sprint", async () => {
  const { here, sprint_id } = await eventfulSprint();
  const { data, ...rest } = await report(here, "burndown");
  expect(rest).toEqual({
    report: "burndown",
    project_key: "WEB",
    generated_at: expect.stringMatching(/T.*Z$/),
    params: { tz: "UTC" },
  });
  expect(data).toEqual({
    sprint_id,
    sprint_name: "One",
    start_at: `${day(-6)}T00:00:00.000Z`,
    end_at: `${day(-1)}T00:00:00.000Z`,
    unit: "points",
    points: eventfulPoints,
  });
});

test("a burndown ends with the sprint as it was completed, whatever happens to its issues later", async () => {
  const { here, sprint_id } = await eventfulSprint();
  await plan(here, sprint_id, { status: "completed", move_open_issues_to: "backlog" });
  await pass(here, 3);
  await change(here, "WEB-2", { story_points: 100 });
  await change(here, "WEB-3", { status: "todo" });
  const { data } = await report(here, "burndown");
  // The same points; their dates are three days further back.
  expect(data.points).toEqual(
    eventfulPoints.map(({ date, ...figures }, index) => ({ date: day(index - 9), ...figures })),
  );
});

test("a burndown continues when a completed sprint is reopened", async () => {
  const { here, sprint_id } = await eventfulSprint();
  await plan(here, sprint_id, { status: "completed", move_open_issues_to: "backlog" });
  await pass(here, 1);
  await plan(here, sprint_id, { status: "active" });
  const { data } = await report(here, "burndown");
  expect(data.points).toHaveLength(8);
  // B left with the completion, on day 6: A cancelled, C 2 done, D failed; of them nothing is to do.
  expect(data.points.at(-2)).toEqual(point(day(-1), 0, [3, 9], [1, 2], [0, 0]));
  expect(data.points.at(-1)).toEqual(point(day(0), 0, [3, 9], [1, 2], [0, 0]));
});

test("a burndown shows the days left in a sprint that started late and was inactive meanwhile", async () => {
  const here = await inPoints();
  const sprint_id = await makeSprint(here, { name: "Late", start_at: day(0), end_at: day(5) });
  const other = await makeSprint(here, { name: "Other" });
  await make(here, { sprint_id, story_points: 6 });
  await pass(here, 2);
  await plan(here, sprint_id, { status: "active" });
  await pass(here, 1);
  await plan(here, other, { status: "active" });
  await plan(here, sprint_id, { status: "active" });
  const { data } = await report(here, "burndown");
  expect(data.start_at).toBe(`${day(-3)}T00:00:00.000Z`);
  // Started on the day before today, due the day after tomorrow: 6 points in 3 days.
  expect(data.points).toEqual([
    point(day(-1), 6, [1, 6], [0, 0], [1, 6]),
    point(day(0), 4, [1, 6], [0, 0], [1, 6]),
    { date: day(1), ideal: 2, ...NOTHING_YET },
    { date: day(2), ideal: 0, ...NOTHING_YET },
  ]);
});

test("a sprint without dates lasts from its start to its completion", async () => {
  const here = await world();
  const sprint_id = await makeSprint(here, { name: "Bare" });
  await make(here, { sprint_id, estimate_minutes: 60, story_points: 9 });
  await plan(here, sprint_id, { status: "active" });
  await pass(here, 2);
  await change(here, "WEB-1", { status: "done" });
  await plan(here, sprint_id, { status: "completed" });
  await pass(here, 4);
  const { data } = await report(here, "burndown");
  expect(data.unit).toBe("minutes");
  expect(data.start_at.slice(0, 10)).toBe(day(-6));
  expect(data.end_at.slice(0, 10)).toBe(day(-4));
  // 60 minutes in the two days between start and completion.
  expect(
    data.points.map(({ date, ideal, scope, completed, remaining }: Fields) => [
      date,
      ideal,
      scope,
      completed,
      remaining,
    ]),
  ).toEqual([
    [day(-6), 60, 60, 0, 60],
    [day(-5), 30, 60, 0, 60],
    [day(-4), 0, 60, 60, 0],
  ]);
  expect(data.points[2]).toMatchObject({ scope_issues: 1, scope_points: 9, completed_points: 9 });
});

test("a sprint that was completed early ends there, and its ideal line leads to the planned end", async () => {
  const here = await world();
  await here.owner.patch("P", { estimation_unit: "none" }).expect(200);
  const sprint_id = await makeSprint(here, { name: "Early", start_at: day(0), end_at: day(4) });
  await make(here, { sprint_id });
  await make(here, { sprint_id });
  await plan(here, sprint_id, { status: "active" });
  await pass(here, 1);
  await plan(here, sprint_id, { status: "completed" });
  const { data } = await report(here, "burndown");
  expect(data.unit).toBe("issues");
  // 2 issues in 4 days: half of one a day.
  expect(data.points.map(({ date, ideal, remaining }: Fields) => [date, ideal, remaining])).toEqual([
    [day(-1), 2, 2],
    [day(0), 1.5, 2],
  ]);
});

test("a sprint of several years shows 366 days, including today", async () => {
  const here = await inPoints();
  const sprint_id = await makeSprint(here, { name: "Long", start_at: day(0), end_at: day(4_000) });
  await make(here, { sprint_id, story_points: 1 });
  await plan(here, sprint_id, { status: "active" });
  const first = (await report(here, "burndown")).data.points;
  expect(first).toHaveLength(366);
  expect([first[0].date, first.at(-1).date]).toEqual([day(0), day(365)]);

  await pass(here, 1_000);
  const later = (await report(here, "burndown")).data.points;
  expect(later).toHaveLength(366);
  expect([later[0].date, later.at(-1).date]).toEqual([day(-365), day(0)]);
  // 1 point over 4000 days, of which 1000 are gone; all of it is left.
  expect(later.at(-1)).toMatchObject({ ideal: 0.75, scope: 1, remaining: 1 });
});

test("days are in UTC, whatever offset the dates were sent with", async () => {
  const here = await inPoints();
  // 01:30 on day 1 in Berlin is day 0 in UTC; the end likewise.
  const sprint_id = await makeSprint(here, {
    name: "Night",
    start_at: `${day(1)}T01:30:00+02:00`,
    end_at: `${day(3)}T01:30:00+02:00`,
  });
  await make(here, { sprint_id, story_points: 2 });
  const { data } = await report(here, "burndown");
  // Not started: counted from its planned start, which is today.
  expect(data.points.map(({ date }: Fields) => date)).toEqual([day(0), day(1), day(2)]);
});

test("a burndown is null without sprints, and has no points for a sprint without times", async () => {
  const here = await world();
  expect((await report(here, "burndown")).data).toBeNull();
  const sprint_id = await makeSprint(here, { name: "Some day" });
  expect((await report(here, "burndown")).data).toMatchObject({
    sprint_id,
    start_at: null,
    end_at: null,
    points: [],
  });
  await here.owner.delete(`P/sprints/${sprint_id}`).expect(200);
  expect((await report(here, "burndown")).data).toBeNull();
});
