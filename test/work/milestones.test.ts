import { expect, test } from "vitest";
import { eventsOf } from "../support/events.ts";
import { type World, world } from "../support/world.ts";

const make = async ({ owner }: World, body: object) => (await owner.post("P/milestones", body).expect(201)).data;
const read = async ({ owner }: World, id: string) => (await owner.get(`P/milestones/${id}`).expect(200)).data;

test("a milestone is returned as it was created and changed, and counts its issues", async () => {
  const here = await world();
  const { owner } = here;
  const milestone = await make(here, {
    name: "Beta",
    description: "Ship **it**",
    start_at: "2030-01-01",
    due_at: "2030-02-01",
  });
  expect(milestone).toEqual({
    id: expect.any(String),
    name: "Beta",
    description_md: "Ship **it**",
    status: "planned",
    start_at: "2030-01-01T00:00:00.000Z",
    start_on: "2030-01-01",
    due_at: "2030-02-01T00:00:00.000Z",
    due_on: "2030-02-01",
    progress: { total: 0, done: 0, failed: 0, cancelled: 0, percent: 0 },
    completed_at: null,
    rank: expect.any(String),
    created_by: owner.userId,
    created_at: expect.stringMatching(/Z$/),
    updated_at: milestone.created_at,
  });
  const milestone_id = milestone.id;
  const items = [
    { title: "a", milestone_id },
    { title: "b", milestone_id, status: "done" },
    { title: "c", milestone_id, status: "cancelled" },
    { title: "d", milestone_id },
    { title: "e" },
  ];
  await owner.post("P/issues/bulk", { items }).expect(201);
  await owner.delete("P/issues/WEB-4").expect(200);
  const { data } = await owner.patch(`P/milestones/${milestone.id}`, { name: "Gamma", due_at: null }).expect(200);
  expect(data.progress).toEqual({ total: 3, done: 1, failed: 0, cancelled: 1, percent: 50 });
  expect(await read(here, milestone.id)).toEqual(data);
  expect((await owner.get("P/milestones").expect(200)).data).toEqual([data]);
  expect((await owner.get(`P/issues?milestone=${milestone.id}`).expect(200)).data).toHaveLength(3);
  expect((await owner.get("P/issues?milestone=none&fields=title").expect(200)).data).toEqual([{ title: "e" }]);
  expect(await eventsOf(here, "milestone.%")).toMatchObject([
    { type: "milestone.created", data: milestone },
    { type: "milestone.updated", data, changed: ["name", "due_at", "due_on"], previous: { name: "Beta" } },
  ]);
  await owner.patch(`P/milestones/${milestone.id}`, { due_at: "2029-01-01" }).expect(400, "validation_failed");
  await owner.patch(`P/milestones/${milestone.id}`, { name: " " }).expect(400, "validation_failed");
});

test("percent is 100 only if all issues are done, and 0 only if none is", async () => {
  const here = await world();
  const { id: milestone_id } = await make(here, { name: "Big" });
  const bulk = (count: number, status: string) =>
    here.owner.post("P/issues/bulk", {
      items: Array.from({ length: count }, () => ({ title: "x", milestone_id, status })),
    });
  const percent = async () => (await read(here, milestone_id)).progress.percent;
  for (let round = 0; round < 5; round++) await bulk(50, "todo").expect(201);
  expect(await percent()).toBe(0);
  await bulk(1, "done").expect(201);
  expect(await percent()).toBe(1);
  const { id } = await make(here, { name: "Nearly" });
  await here.owner.post("P/issues", { title: "last", milestone_id: id }).expect(201);
  for (let round = 0; round < 5; round++) {
    const items = Array.from({ length: 50 }, () => ({ title: "x", milestone_id: id, status: "done" }));
    await here.owner.post("P/issues/bulk", { items }).expect(201);
  }
  expect((await read(here, id)).progress.percent).toBe(99);
  await here.owner.patch("P/issues/WEB-252", { status: "cancelled" }).expect(200);
  expect((await read(here, id)).progress.percent).toBe(100);
});

test("completing stamps the time, and any other status clears it", async () => {
  const here = await world();
  const { owner } = here;
  const milestone = await make(here, { name: "Beta" });
  const path = `P/milestones/${milestone.id}`;
  const done = (await owner.patch(path, { status: "completed" }).expect(200)).data;
  expect(done).toMatchObject({ status: "completed", completed_at: done.updated_at });
  expect((await owner.patch(path, { status: "completed" }).expect(200)).data).toEqual(done);
  expect((await owner.patch(path, { status: "active" }).expect(200)).data).toMatchObject({ completed_at: null });
  const born = await make(here, { name: "Past", status: "completed" });
  expect(born.completed_at).toBe(born.created_at);
  expect((await eventsOf(here, "milestone.%")).map(({ type }) => type)).toEqual([
    "milestone.created",
    "milestone.completed",
    "milestone.updated",
    "milestone.created",
    "milestone.completed",
  ]);
});

test("deleting removes the milestone from its issues", async () => {
  const here = await world();
  const { owner } = here;
  const { id: milestone_id } = await make(here, { name: "Beta" });
  await owner
    .post("P/issues/bulk", {
      items: [
        { title: "a", milestone_id },
        { title: "b", milestone_id },
      ],
    })
    .expect(201);
  const { data } = await owner.delete(`P/milestones/${milestone_id}`).expect(200);
  expect(data).toEqual({ id: milestone_id, deleted: true, issues_detached: 2 });
  await owner.get(`P/milestones/${milestone_id}`).expect(404);
  await owner.delete(`P/milestones/${milestone_id}`).expect(404);
  expect((await owner.get("P/issues/WEB-1").expect(200)).data).toMatchObject({ milestone_id: null, version: 2 });
  const [line] = (await owner.get("P/issues/WEB-1/activity").expect(200)).data;
  expect(line).toMatchObject({
    kind: "milestone_changed",
    payload: { from: milestone_id, from_name: "Beta", to: null },
  });
  expect(await eventsOf(here, "issue.updated")).toMatchObject([
    { changed: ["milestone_id"], previous: { milestone_id } },
    { changed: ["milestone_id"] },
  ]);
  await owner.post("P/issues", { title: "x", milestone_id }).expect(400, "invalid_reference");
});

test("milestones keep the position that they are given", async () => {
  const here = await world();
  const one = await make(here, { name: "One" });
  await make(here, { name: "Two" });
  await make(here, { name: "Three", before: one.id });
  const names = async () =>
    (await here.owner.get("P/milestones?fields=name").expect(200)).data.map(({ name }: { name: string }) => name);
  expect(await names()).toEqual(["Three", "One", "Two"]);
  await here.owner.patch(`P/milestones/${one.id}`, { rank: "a9" }).expect(200);
  expect(await names()).toEqual(["Three", "Two", "One"]);
});
