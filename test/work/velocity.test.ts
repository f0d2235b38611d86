import { beforeAll, expect, test } from "vitest";
import { day, earlyEnough, pass } from "../support/history.ts";
import { change, eventfulSprint, inPoints, make, makeSprint, plan, report } from "../support/reports.ts";
import { world } from "../support/world.ts";

/** Figures that were worked out by hand, beside how they come about. */

beforeAll(earlyEnough, 120_000);

type Fields = Record<string, unknown>;

test("velocity compares what sprints committed to with what they completed", async () => {
  const { here, sprint_id } = await eventfulSprint();
  const bar = {
    sprint_id,
    sprint_name: "One",
    status: "active",
    start_at: `${day(-6)}T00:00:00.000Z`,
    end_at: `${day(-1)}T00:00:00.000Z`,
    // A 3 + B 5 + C 2
    committed: 10,
    committed_issues: 3,
    committed_points: 10,
    // C 2
    completed: 2,
    completed_issues: 1,
    completed_points: 2,
    // D; of C and B, who went, both came back.
    added_issues: 1,
    removed_issues: 0,
    carried_over_issues: 0,
  };
  expect((await report(here, "velocity")).data).toEqual({ unit: "points", average: 0, average_3: 0, bars: [bar] });

  const two = await makeSprint(here, { name: "Two" });
  await plan(here, sprint_id, { status: "completed", move_open_issues_to: two });
  await pass(here, 1);
  // B 8 and a new one of 5 are committed; B goes again, the new one is done.
  const e = await make(here, { sprint_id: two, story_points: 5 });
  await plan(here, two, { status: "active" });
  await change(here, "WEB-2", { sprint_id: null });
  await change(here, e, { status: "done" });
  await plan(here, two, { status: "completed" });
  const { data } = await report(here, "velocity");
  const [one, next] = data.bars;
  expect(one).toEqual({
    ...bar,
    start_at: `${day(-7)}T00:00:00.000Z`,
    end_at: `${day(-2)}T00:00:00.000Z`,
    status: "completed",
    // B, which was open
    carried_over_issues: 1,
  });
  expect(next).toMatchObject({
    sprint_id: two,
    start_at: null,
    end_at: null,
    committed: 13,
    committed_issues: 2,
    completed: 5,
    completed_issues: 1,
    added_issues: 0,
    removed_issues: 1,
    carried_over_issues: 0,
  });
  // (2 + 5) / 2
  expect(data).toMatchObject({ average: 3.5, average_3: 3.5 });
});

test("a sprint that is reopened gets a new commitment, and one that never started has none", async () => {
  const here = await inPoints();
  const sprint_id = await makeSprint(here, { name: "Again" });
  await make(here, { sprint_id, story_points: 3 });
  await plan(here, sprint_id, { status: "active" });
  await plan(here, sprint_id, { status: "completed" });
  await plan(here, sprint_id, { status: "planned" });
  await make(here, { sprint_id, story_points: 4 });
  await plan(here, sprint_id, { status: "active" });
  await make(here, { sprint_id, story_points: 1, status: "done" });
  const figures = async () => (await report(here, "velocity")).data.bars.at(-1);
  // 3 + 4, and one more that is done
  expect(await figures()).toMatchObject({ committed: 7, committed_issues: 2, added_issues: 1, completed: 1 });
  await plan(here, sprint_id, { status: "completed" });
  expect(await figures()).toMatchObject({ committed: 7, added_issues: 1, completed: 1, carried_over_issues: 2 });

  await plan(here, sprint_id, { status: "planned" });
  await plan(here, sprint_id, { status: "completed" });
  expect(await figures()).toMatchObject({ committed: 0, committed_issues: 0, added_issues: 3, completed: 1 });
});

test("velocity shows the last twelve sprints in the project's unit, with averages of all and of three", async () => {
  const here = await world();
  for (let n = 1; n <= 13; n++) {
    const sprint_id = await makeSprint(here, { name: `Sprint ${n}` });
    await plan(here, sprint_id, { status: "active" });
    await make(here, { sprint_id, status: "done", estimate_minutes: n * 60, story_points: n });
    await plan(here, sprint_id, { status: "completed" });
    await pass(here, 1);
  }
  const { data } = await report(here, "velocity");
  expect(data.unit).toBe("minutes");
  expect(data.bars.map((bar: Fields) => [bar.sprint_name, bar.completed, bar.completed_points])).toEqual(
    Array.from({ length: 12 }, (_, index) => [`Sprint ${index + 2}`, (index + 2) * 60, index + 2]),
  );
  // 60 × (2 + … + 13) / 12 = 60 × 7.5, and 60 × (11 + 12 + 13) / 3
  expect(data).toMatchObject({ average: 450, average_3: 720 });
});

test("velocity is null without sprints, and empty while all are planned", async () => {
  const here = await world();
  expect((await report(here, "velocity")).data).toBeNull();
  await makeSprint(here, { name: "One" });
  expect((await report(here, "velocity")).data).toEqual({ unit: "minutes", average: 0, average_3: 0, bars: [] });
});
