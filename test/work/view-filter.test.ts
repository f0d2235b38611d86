import { expect, test } from "vitest";
import { type World, world } from "../support/world.ts";

/** `GET P/issues?view=…`: a saved view's filter. */

async function prepared() {
  const here = await world();
  const { owner, columns } = here;
  const { data: label } = await owner.post("P/labels", { name: "red, hot" }).expect(201);
  const { data: sprint } = await owner.post("P/sprints", { name: "S", status: "active" }).expect(201);
  const { data: milestone } = await owner.post("P/milestones", { name: "M" }).expect(201);
  const issues = [
    { title: "One", type: "bug", labels: [label.id], assignee: "me" },
    { title: "Two", priority: "high", status: "done", sprint_id: sprint.id },
    { title: "Three", status: "in_progress", milestone_id: milestone.id },
  ];
  await owner.post("P/issues/bulk", { items: issues }).expect(201);
  return { here, label, sprint, milestone, columns };
}

const save = async ({ owner }: World, filter: unknown, more = {}) =>
  (await owner.post("P/saved-views", { name: "View", filter, ...more }).expect(201)).data.id as string;

/** Stores any JSON, as earlier versions did. */
async function saveOld(here: World, filter: unknown) {
  const view = await save(here, {});
  await here.sql("update saved_view set filter = $2::json where id = $1", [view, JSON.stringify(filter)]);
  return view;
}

const titles = async ({ owner }: World, view: string, more = "") => {
  const { data } = await owner.get(`P/issues?view=${view}${more}`).expect(200);
  return data.map(({ title }: { title: string }) => title).join(" ");
};

test("every field filters; empty ones do not", async () => {
  const { here, label, sprint, milestone, columns } = await prepared();
  const cases: [unknown, string][] = [
    [{}, "One Two Three"],
    [{ issueTypes: ["bug"] }, "One"],
    [{ priorities: ["urgent", "high"] }, "Two"],
    [{ statuses: ["done", columns["To Do"]] }, "One Two"],
    [{ statuses: ["In Progress"] }, "Three"],
    [{ labels: ["Red, Hot"] }, "One"],
    [{ labels: [label.id] }, "One"],
    [{ assigneeId: here.owner.userId }, "One"],
    [{ assigneeId: "me" }, "One"],
    [{ assigneeId: "none" }, "Two Three"],
    [{ sprintId: sprint.id }, "Two"],
    [{ sprintId: "Active" }, "Two"],
    [{ milestoneId: milestone.id }, "Three"],
    [{ q: "three" }, "Three"],
    [{ sort: "created_desc" }, "Three Two One"],
    [{ issueTypes: ["task"], statuses: ["in_progress", "backlog"] }, "Three"],
    [{ issueTypes: [], assigneeId: null, q: "", sort: null }, "One Two Three"],
  ];
  for (const [filter, expected] of cases) {
    expect(await titles(here, await save(here, filter)), JSON.stringify(filter)).toBe(expected);
  }
});

test("a filter that was saved before filters were checked still works, as far as it makes sense", async () => {
  const { here } = await prepared();
  const cases: [unknown, string][] = [
    [{ issueTypes: "bug", labels: [1, null, {}], priorities: { a: 1 }, own: { field: 1 } }, "One"],
    [{ labels: ["gone"], sort: "by mood" }, ""],
    ...[null, 7, "text", ["bug"], { ["__proto__"]: 1 }].map((filter): [unknown, string] => [filter, "One Two Three"]),
  ];
  for (const [filter, expected] of cases) {
    expect(await titles(here, await saveOld(here, filter)), JSON.stringify(filter)).toBe(expected);
  }
});

test("a parameter replaces the view's own, and is combined with its others", async () => {
  const { here } = await prepared();
  const view = await save(here, { issueTypes: ["task"], statuses: ["done"], sort: "created_desc" });
  expect(await titles(here, view)).toBe("Two");
  expect(await titles(here, view, "&status=in_progress,done")).toBe("Three Two");
  expect(await titles(here, view, "&status=in_progress,done&sort=rank")).toBe("Two Three");
  expect(await titles(here, view, "&type=bug")).toBe("");
  expect(await titles(here, view, "&priority=high")).toBe("Two");
});

test("a filter that is no longer valid is refused with an explanation", async () => {
  const { here } = await prepared();
  for (const filter of [{ statuses: ["Gone"] }, { priorities: ["x"] }, { sprintId: "x" }, { assigneeId: "x" }]) {
    const view = await saveOld(here, filter);
    const { body } = await here.owner.get(`P/issues?view=${view}`).expect(400, "invalid_parameter");
    expect(body).toMatchObject({ detail: expect.stringMatching(/^The view's filter: /) });
  }
});

test("only views that the caller can see can be used", async () => {
  const { here } = await prepared();
  const { owner, as } = here;
  await owner.post("W/projects", { name: "Operations", key: "OPS" }).expect(201);
  const mine = await save(here, { issueTypes: ["bug"] }, { is_shared: false });
  const { data: other } = await owner.post("W/projects/OPS/saved-views", { name: "Other" }).expect(201);
  expect(await titles(here, mine)).toBe("One");
  const admin = await as({ role: "admin" });
  const private_ = await admin.get(`P/issues?view=${mine}`).expect(400, "invalid_parameter");
  for (const view of [other.id, "01a1ff59-53a8-706d-9414-adf02ee3d27c", "x"]) {
    const { body } = await owner.get(`P/issues?view=${view}`).expect(400, "invalid_parameter");
    expect(body.detail).toBe(private_.body.detail);
  }
});

test("a cursor stays valid while the view's filter is the same, and is refused once it changes", async () => {
  const { here } = await prepared();
  const change = (body: object) => here.owner.patch(`P/saved-views/${view}`, body).expect(200);
  const view = await save(here, { sort: "created_desc" });
  const { body } = await here.owner.get(`P/issues?view=${view}&limit=2`).expect(200);
  const next = `P/issues?view=${view}&limit=2&cursor=${body.pagination.next_cursor}`;
  await change({ name: "Renamed", filter: { sort: "created_desc", q: null } });
  expect((await here.owner.get(next).expect(200)).data).toMatchObject([{ title: "One" }]);
  await change({ filter: { sort: "created_desc", issueTypes: ["bug"] } });
  await here.owner.get(next).expect(400, "cursor_mismatch");
  await change({ filter: {} });
  await here.owner.get(next).expect(400, "cursor_mismatch");
});
