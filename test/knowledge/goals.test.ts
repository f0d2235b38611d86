import { expect, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import type { Client } from "../support/client.ts";
import { type World, world } from "../support/world.ts";

const eventsOf = ({ sql, workspace }: World, like = "goal%") =>
  sql<{ type: string; data: Record<string, unknown>; previous: Record<string, unknown> | null; changed: string[] }>(
    "select type, data, previous, changed from event where workspace_id = $1 and type like $2 order by id",
    [workspace.id, like],
  );
const typesOf = async (here: World, like?: string) => (await eventsOf(here, like)).map(({ type }) => type);
const goal = async (client: Client, body: Record<string, unknown> = {}) =>
  (await client.post("W/goals", { title: "Goal", ...body }).expect(201)).data;
const manual = async (client: Client, goalId: string, body: Record<string, unknown> = {}) =>
  (
    await client
      .post(`W/goals/${goalId}/key-results`, { title: "KR", kind: "manual", target_value: 100, ...body })
      .expect(201)
  ).data;
const readGoal = async (client: Client, id: string) => (await client.get(`W/goals/${id}`).expect(200)).data;
const days = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString();

test("a goal is created with defaults, changed, listed and deleted", async () => {
  const here = await world();
  const { owner } = here;
  const { data } = await owner.post("W/goals", { title: " Grow " }).expect(201);
  expect(data).toEqual({
    id: expect.any(String),
    workspace_id: here.workspace.id,
    title: "Grow",
    description_md: null,
    portfolio_id: null,
    parent_goal_id: null,
    owner_user_id: owner.userId,
    cycle_start_at: null,
    cycle_start_on: null,
    cycle_due_at: null,
    cycle_due_on: null,
    status_override: null,
    status: "not_started",
    progress_pct: null,
    created_by: owner.userId,
    created_at: expect.stringMatching(/Z$/),
    updated_at: data.created_at,
    weight: 1,
    progress_override: null,
    expected_progress_pct: null,
    version: 1,
  });
  expect((await owner.get("W/goals").expect(200)).body).toEqual({ data: [data], pagination: { next_cursor: null } });
  expect((await owner.patch(`W/goals/${data.id}`, {}).expect(200)).data).toEqual(data);
  expect((await owner.patch(`W/goals/${data.id}`, { title: "Grow" }).expect(200)).data).toEqual(data);

  const changed = (await owner.patch(`W/goals/${data.id}`, { title: "Grow more", weight: 2.5 }).expect(200)).data;
  expect(changed).toMatchObject({ title: "Grow more", weight: 2.5, version: 2 });
  expect(changed.updated_at > data.updated_at).toBe(true);
  const detail = await readGoal(owner, data.id);
  expect(detail).toEqual({
    ...changed,
    portfolio_name: null,
    parent_title: null,
    key_results: [],
    children: [],
    watcher_count: 1,
    rollup: { formula: expect.stringContaining("weight"), inputs: [] },
  });
  // A client may send back a whole goal with one field changed.
  expect((await owner.patch(`W/goals/${data.id}`, { ...detail, weight: 3 }).expect(200)).data.weight).toBe(3);
  const last = (await owner.delete(`W/goals/${data.id}`).expect(200)).data;
  expect(last).toEqual({ id: data.id, deleted: true, orphaned_goal_count: 0 });
  await owner.delete(`W/goals/${data.id}`).expect(404, "not_found");
  await owner.get(`W/goals/${data.id}`).expect(404);
  expect(await typesOf(here)).toEqual(["goal.created", "goal.updated", "goal.updated", "goal.deleted"]);
  expect((await eventsOf(here))[1]).toMatchObject({
    previous: { title: "Grow", weight: 1 },
    changed: ["title", "weight"],
  });
});

test("the owner is the caller unless the body names another or nobody", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const guest = await here.as({ role: "guest", projectRole: "member" });
  const { owner } = here;
  expect((await goal(member)).owner_user_id).toBe(member.userId);
  expect((await goal(owner, { owner_user_id: null })).owner_user_id).toBeNull();
  const { id, owner_user_id } = await goal(owner, { owner_user_id: member.email });
  expect(owner_user_id).toBe(member.userId);
  expect((await readGoal(owner, id)).watcher_count).toBe(2);
  expect((await owner.patch(`W/goals/${id}`, { owner_user_id: "me" }).expect(200)).data.owner_user_id).toBe(
    owner.userId,
  );
  for (const owner_user_id of [guest.userId, guest.email, "nobody@x.test", newId(), id]) {
    const reply = await owner.patch(`W/goals/${id}`, { owner_user_id }).expect(400, "invalid_reference");
    expect(reply.body.error.details.path).toBe("/owner_user_id");
  }
});

test("bodies are checked", async () => {
  const { owner } = await world();
  const { id } = await goal(owner);
  const bad: [Record<string, unknown>, string][] = [
    [{ title: " " }, "validation_failed"],
    [{ title: "x".repeat(201) }, "validation_failed"],
    [{ description_md: "x".repeat(20_001) }, "validation_failed"],
    [{ weight: 0 }, "validation_failed"],
    [{ weight: 999.5 }, "validation_failed"],
    [{ progress_override: 101 }, "validation_failed"],
    [{ progress_override: -1 }, "validation_failed"],
    [{ cycle_start_at: "2030-02-01", cycle_due_at: "2030-01-31" }, "validation_failed"],
    [{ cycle_start_at: "2030-01-31T12:00:00Z", cycle_due_at: "2030-01-31T11:59:59Z" }, "validation_failed"],
    [{ portfolio_id: id }, "invalid_reference"],
    [{ portfolio_id: "x" }, "invalid_reference"],
    [{ parent_goal_id: owner.userId }, "invalid_reference"],
    [{ status: "done" }, "unknown_field"],
  ];
  for (const [body, code] of bad) await owner.post("W/goals", { title: "Goal", ...body }).expect(400, code);
  const patches = bad.filter(([body]) => !("status" in body));
  for (const [body, code] of patches) await owner.patch(`W/goals/${id}`, body).expect(400, code);
  await owner.patch(`W/goals/${id}`, { status_override: "not_started" }).expect(400, "validation_failed");
  const { body } = await owner.patch(`W/goals/${id}`, { status: "done" }).expect(400, "read_only_field");
  expect(body.detail).toContain("To set it, send status_override.");
  await owner.patch(`W/goals/${id}`, { cycle_start_at: "2030-02-01" }).expect(200);
  await owner.patch(`W/goals/${id}`, { cycle_due_at: "2030-01-01" }).expect(400, "validation_failed");
  // A due date given as a day includes the whole day.
  await owner
    .patch(`W/goals/${id}`, { cycle_start_at: "2030-01-31T12:00:00Z", cycle_due_at: "2030-01-31" })
    .expect(200);
});

test("an if_version that is not the current one is refused with the current one", async () => {
  const { owner } = await world();
  const { id, version } = await goal(owner, { title: "First" });
  const second = await owner.patch(`W/goals/${id}`, { title: "Second", if_version: version }).expect(200);
  const refused = await owner.patch(`W/goals/${id}`, { title: "Third", if_version: version });
  expect(refused.body).toMatchObject({ status: 409, code: "version_conflict", error: { details: { version: 2 } } });
  expect((await owner.get(`W/goals/${id}`).expect(200)).data).toMatchObject({ title: "Second", version: 2 });
  const same = await owner.patch(`W/goals/${id}`, { ...second.data, if_version: 2 }).expect(200);
  expect(same.data).toEqual(second.data);
});

test("a status can be set when a goal is created", async () => {
  const { owner } = await world();
  const set = await goal(owner, { title: "Set", status_override: "At-Risk" });
  expect(set).toMatchObject({ status_override: "at_risk", status: "at_risk" });
  expect(await goal(owner, { title: "Not set", status_override: null })).toMatchObject({ status: "not_started" });
});

test("the text of an error names the field", async () => {
  const { owner } = await world();
  const dates = { cycle_start_at: "2030-02-01", cycle_due_at: "2030-01-01" };
  const refused = await owner.post("W/goals", { title: "Grow", ...dates }).expect(400, "validation_failed");
  expect(refused.body.detail).toBe("cycle_due_at must not be before cycle_start_at");
  const red = await owner.post("W/portfolios", { name: "Payments", color: "red" }).expect(400, "validation_failed");
  expect(red.body.detail).toBe("color: Use #RRGGBB.");
});

test("a weight of 0 is refused with the bound that it must exceed", async () => {
  const { owner } = await world();
  const refused = await owner.post("W/goals", { title: "Grow", weight: 0 }).expect(400, "validation_failed");
  expect(refused.body.error).toMatchObject({
    message: "weight must be greater than 0",
    details: { errors: [{ path: "/weight", code: "too_small", exclusive_minimum: 0 }] },
  });
});

test("the list filters by portfolio, company and parent", async () => {
  const { owner } = await world();
  const parent = await goal(owner, { title: "Parent" });
  const child = await goal(owner, { title: "Child", parent_goal_id: parent.id });
  const titles = async (query: string) =>
    (await owner.get(`W/goals?${query}`).expect(200)).data.map(({ title }: { title: string }) => title);
  expect(await titles("scope=company")).toEqual(["Child", "Parent"]);
  expect(await titles(`parent_goal_id=${parent.id}`)).toEqual(["Child"]);
  expect(await titles(`portfolio_id=${parent.id}`)).toEqual([]);
  for (const name of ["portfolio_id", "parent_goal_id"]) {
    expect(await titles(`${name}=${owner.userId}`)).toEqual([]);
    await owner.get(`W/goals?${name}=unknown`).expect(400, "invalid_parameter");
  }
  await owner.get(`W/goals?scope=company&portfolio_id=${child.id}`).expect(400, "mutually_exclusive");
  await owner.get("W/goals?scope=team").expect(400);
  const first = (await owner.get("W/goals?limit=1").expect(200)).body;
  const cursor = encodeURIComponent(first.pagination.next_cursor);
  const second = (await owner.get(`W/goals?limit=1&cursor=${cursor}`).expect(200)).body;
  expect([...first.data, ...second.data].map(({ title }) => title)).toEqual(["Child", "Parent"]);
});

test("goals have no cycles and at most 10 levels", async () => {
  const here = await world();
  const { owner } = here;
  const chain: { id: string }[] = [];
  for (let level = 1; level <= 10; level++) chain.push(await goal(owner, { parent_goal_id: chain.at(-1)?.id }));
  const last = chain.at(-1)!;
  const refused = await owner
    .post("W/goals", { title: "Too deep", parent_goal_id: last.id })
    .expect(400, "depth_limit_reached");
  expect(refused.body.error.details).toMatchObject({ path: "/parent_goal_id", max_depth: 10 });
  const top = await goal(owner);
  await owner.patch(`W/goals/${chain[0]!.id}`, { parent_goal_id: top.id }).expect(400, "depth_limit_reached");
  await owner.patch(`W/goals/${chain[1]!.id}`, { parent_goal_id: top.id }).expect(200);

  const { body } = await owner
    .patch(`W/goals/${chain[1]!.id}`, { parent_goal_id: chain[3]!.id })
    .expect(400, "goal_cycle");
  expect(body.error.details.cycle).toEqual([chain[1]!.id, chain[2]!.id, chain[3]!.id]);
  const self = await owner.patch(`W/goals/${top.id}`, { parent_goal_id: top.id }).expect(400, "goal_cycle");
  expect(self.body.error.details.cycle).toEqual([top.id]);
});

test("two people who move goals below each other make no cycle", async () => {
  const here = await world();
  const other = await here.as({ role: "admin" });
  for (let round = 0; round < 10; round++) {
    const [a, b] = [await goal(here.owner), await goal(here.owner)];
    const replies = await Promise.all([
      here.owner.patch(`W/goals/${a.id}`, { parent_goal_id: b.id }),
      other.patch(`W/goals/${b.id}`, { parent_goal_id: a.id }),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(replies.find(({ status }) => status === 400)?.body.code).toBe("goal_cycle");
  }
});

test("progress rolls up to all goals above within the call, by weight and without unmeasured parts", async () => {
  const here = await world();
  const { owner } = here;
  const top = await goal(owner, { title: "Top" });
  const middle = await goal(owner, { title: "Middle", parent_goal_id: top.id });
  const leaf = await goal(owner, { title: "Leaf", parent_goal_id: middle.id, weight: 2 });
  await goal(owner, { title: "Unmeasured", parent_goal_id: middle.id, weight: 500 });
  const kr = await manual(owner, leaf.id, { current_value: 50 });
  expect(kr.progress_pct).toBe(50);
  for (const { id } of [leaf, middle, top]) expect((await readGoal(owner, id)).progress_pct).toBe(50);
  const half = await manual(owner, middle.id, { current_value: 0 });
  expect((await readGoal(owner, middle.id)).progress_pct).toBe(33);
  expect((await readGoal(owner, top.id)).progress_pct).toBe(33);
  expect((await readGoal(owner, middle.id)).rollup.inputs).toMatchObject([
    { kind: "key_result", id: half.id, weight: 1, progress_pct: 0 },
    { kind: "goal", title: "Unmeasured", weight: 500, progress_pct: null },
    { kind: "goal", title: "Leaf", weight: 2, progress_pct: 50 },
  ]);
  await owner.patch(`W/goals/${leaf.id}`, { progress_override: 100 }).expect(200);
  expect((await readGoal(owner, top.id)).progress_pct).toBe(67);
  await owner.delete(`W/goals/${middle.id}/key-results/${half.id}`).expect(200);
  expect((await readGoal(owner, top.id)).progress_pct).toBe(100);
  await owner.patch(`W/goals/${leaf.id}`, { progress_override: null }).expect(200);
  expect((await readGoal(owner, top.id)).progress_pct).toBe(50);
  const events = (await eventsOf(here)).filter(({ data }) => data.id === top.id);
  expect(events.flatMap(({ type, data }) => (type === "goal.updated" ? [data.progress_pct] : []))).toEqual([
    50, 33, 67, 100, 50,
  ]);
  expect(events.slice(-2)).toMatchObject([
    { type: "goal.updated", changed: ["progress_pct", "status"], previous: { progress_pct: 100, status: "done" } },
    { type: "goal.status_changed", changed: ["status"], previous: { status: "done" } },
  ]);

  const moved = await owner.patch(`W/goals/${leaf.id}`, { parent_goal_id: null }).expect(200);
  expect(moved.data.progress_pct).toBe(50);
  expect((await readGoal(owner, top.id)).progress_pct).toBeNull();
});

test("a deleted goal leaves the goals below it without a parent", async () => {
  const here = await world();
  const { owner } = here;
  const top = await goal(owner);
  const middle = await goal(owner, { parent_goal_id: top.id });
  const leaf = await goal(owner, { parent_goal_id: middle.id, progress_override: 40 });
  expect((await readGoal(owner, top.id)).progress_pct).toBe(40);
  const reply = await owner.delete(`W/goals/${middle.id}`).expect(200);
  expect(reply.data).toEqual({ id: middle.id, deleted: true, orphaned_goal_count: 1 });
  expect(await readGoal(owner, leaf.id)).toMatchObject({ parent_goal_id: null, parent_title: null, version: 2 });
  expect((await readGoal(owner, top.id)).progress_pct).toBeNull();
  expect((await readGoal(owner, top.id)).children).toEqual([]);
  const orphaned = (await eventsOf(here)).filter(({ data, type }) => data.id === leaf.id && type === "goal.updated");
  expect(orphaned).toMatchObject([{ changed: ["parent_goal_id"], previous: { parent_goal_id: middle.id } }]);
});

test("key results and goals below are shown newest first, as in their lists", async () => {
  const { owner } = await world();
  const top = await goal(owner);
  const ids: Record<string, string[]> = { key_results: [], children: [] };
  for (const _ of [1, 2, 3]) {
    ids.key_results!.unshift((await manual(owner, top.id, {})).id);
    ids.children!.unshift((await goal(owner, { parent_goal_id: top.id })).id);
  }
  const shown = await readGoal(owner, top.id);
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
  for (const [field, expected] of Object.entries(ids)) expect(idsOf(shown[field])).toEqual(expected);
  expect(idsOf((await owner.get(`W/goals/${top.id}/key-results`)).data)).toEqual(ids.key_results);
  expect(idsOf((await owner.get(`W/goals?parent_goal_id=${top.id}`)).data)).toEqual(ids.children);
});

test("a deleted goal deletes its key results, each with its event", async () => {
  const here = await world();
  const { owner } = here;
  const { id } = await goal(owner);
  const results = [await manual(owner, id, { current_value: 50 }), await manual(owner, id, {})];
  const gone = await manual(owner, id, {});
  await owner.delete(`W/goals/${id}/key-results/${gone.id}`).expect(200);
  const before = (await eventsOf(here, "%")).length;
  await owner.delete(`W/goals/${id}`).expect(200);
  const events = (await eventsOf(here, "%")).slice(before);
  expect(events.map(({ type }) => type)).toEqual(["goal.deleted", "key_result.deleted", "key_result.deleted"]);
  expect(events.slice(1).map(({ data }) => data)).toEqual(results.reverse());
});

test("key results measure values upwards and downwards, and at their target", async () => {
  const { owner } = await world();
  const { id } = await goal(owner);
  const cases: [Record<string, unknown>, number | null][] = [
    [{ start_value: 0, target_value: 10, current_value: 3 }, 30],
    [{ target_value: 10, current_value: 3 }, 30],
    [{ start_value: 90, target_value: 40, current_value: 65 }, 50],
    [{ start_value: 90, target_value: 40, current_value: 95 }, 0],
    [{ start_value: 90, target_value: 40, current_value: 10 }, 100],
    [{ start_value: 0, target_value: 1000, current_value: 999 }, 99],
    [{ start_value: 0, target_value: 1000, current_value: 999.99999 }, 99],
    [{ start_value: 0, target_value: 1000, current_value: 0.001 }, 1],
    [{ start_value: 0, target_value: 200, current_value: 1 }, 1],
    [{ start_value: 0, target_value: 200, current_value: 99 }, 50],
    [{ start_value: 5, target_value: 5, current_value: 5 }, 100],
    [{ start_value: 5, target_value: 5, current_value: 4 }, 0],
    [{ target_value: null, current_value: 4 }, null],
    [{ target_value: 10 }, null],
    [{ start_value: -1e308, target_value: 1e308, current_value: 5e-324 }, 50],
  ];
  for (const [values, percent] of cases) {
    const { progress_pct, ...kr } = await manual(owner, id, values);
    expect(progress_pct, JSON.stringify(values)).toBe(percent);
    expect(kr).toMatchObject(values);
  }
  const { data } = await owner.get(`W/goals/${id}/key-results`).expect(200);
  expect(data).toHaveLength(cases.length);
});

test("a key result is created, reported, and deleted, each with its event", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const { owner } = here;
  const { id } = await goal(owner);
  const path = `W/goals/${id}/key-results`;
  const { data } = await owner
    .post(path, { title: " Speed ", kind: "manual", unit: "s", start_value: 90, target_value: 40, scope: {} })
    .expect(201);
  expect(data).toEqual({
    id: expect.any(String),
    goal_id: id,
    title: "Speed",
    kind: "manual",
    unit: "s",
    start_value: 90,
    target_value: 40,
    current_value: null,
    weight: 1,
    scope: null,
    progress_pct: null,
    created_at: expect.stringMatching(/Z$/),
    updated_at: data.created_at,
    owner_user_id: null,
    due_at: null,
    due_on: null,
    measure: "issues",
    completed: null,
    total: null,
    updated_value_at: null,
  });
  const reported = (await member.patch(`${path}/${data.id}`, { current_value: 65 }).expect(200)).data;
  expect(reported).toMatchObject({ current_value: 65, progress_pct: 50, updated_value_at: reported.updated_at });
  expect((await member.patch(`${path}/${data.id}`, { current_value: 65 }).expect(200)).data).toEqual(reported);
  await owner.patch(`${path}/${data.id}`, { kind: "auto" }).expect(400, "immutable_field");
  expect((await owner.patch(`${path}/${data.id}`, { kind: "manual" }).expect(200)).data).toEqual(reported);
  const detail = await readGoal(owner, id);
  expect(detail).toMatchObject({ progress_pct: 50, watcher_count: 2, version: 1, status: "on_track" });
  expect(detail.key_results).toMatchObject([{ id: data.id, title: "Speed", progress_pct: 50 }]);
  expect((await owner.delete(`${path}/${data.id}`).expect(200)).data).toEqual({ id: data.id, deleted: true });
  await owner.delete(`${path}/${data.id}`).expect(404);
  await owner.patch(`${path}/${data.id}`, {}).expect(404);
  expect(await typesOf(here, "key_result%")).toEqual([
    "key_result.created",
    "key_result.updated",
    "key_result.deleted",
  ]);
  const [, updated] = await eventsOf(here, "key_result%");
  expect(updated).toMatchObject({
    previous: { current_value: null, progress_pct: null },
    changed: ["current_value", "progress_pct"],
  });
  const other = await goal(owner);
  const kr = await manual(owner, other.id);
  await owner.patch(`${path}/${kr.id}`, { title: "x" }).expect(404);
  await owner.delete(`${path}/${kr.id}`).expect(404);
});

test("the status follows from progress and time, unless somebody sets it", async () => {
  const here = await world();
  const { owner } = here;
  const statusOf = async (body: Record<string, unknown>) => {
    const { status, expected_progress_pct } = await goal(owner, body);
    return [status, expected_progress_pct];
  };
  const running = { cycle_start_at: days(-50), cycle_due_at: days(50) };
  expect(await statusOf({ ...running })).toEqual(["not_started", 50]);
  expect(await statusOf({ ...running, progress_override: 50 })).toEqual(["on_track", 50]);
  expect(await statusOf({ ...running, progress_override: 41 })).toEqual(["on_track", 50]);
  expect(await statusOf({ ...running, progress_override: 39 })).toEqual(["at_risk", 50]);
  expect(await statusOf({ ...running, progress_override: 26 })).toEqual(["at_risk", 50]);
  expect(await statusOf({ ...running, progress_override: 24 })).toEqual(["off_track", 50]);
  expect(await statusOf({ ...running, progress_override: 100 })).toEqual(["done", 50]);
  expect(await statusOf({ cycle_due_at: days(-2), progress_override: 99 })).toEqual(["off_track", null]);
  expect(await statusOf({ cycle_due_at: days(-2), progress_override: 100 })).toEqual(["done", null]);
  const today = new Date().toISOString().slice(0, 10);
  expect(await statusOf({ cycle_due_at: today, progress_override: 1 })).toEqual(["on_track", null]);
  expect(await statusOf({ cycle_start_at: days(5), cycle_due_at: days(9), progress_override: 0 })).toEqual([
    "not_started",
    0,
  ]);
  expect(await statusOf({ cycle_start_at: days(5), cycle_due_at: days(9), progress_override: 1 })).toEqual([
    "on_track",
    0,
  ]);
  expect(await statusOf({ progress_override: 0 })).toEqual(["not_started", null]);
  expect(await statusOf({ cycle_start_at: "1900-01-01", cycle_due_at: "9999-12-31", progress_override: 95 })).toEqual([
    "on_track",
    2,
  ]);
  expect(await statusOf({ cycle_start_at: today, cycle_due_at: today, progress_override: 100 })).toEqual([
    "done",
    expect.any(Number),
  ]);

  const { id } = await goal(owner, { title: "Set by hand" });
  const set = (await owner.patch(`W/goals/${id}`, { status_override: "at-risk" }).expect(200)).data;
  expect(set).toMatchObject({ status: "at_risk", status_override: "at_risk", version: 2 });
  expect((await owner.patch(`W/goals/${id}`, { status_override: null }).expect(200)).data.status).toBe("not_started");
  const events = (await eventsOf(here))
    .filter(({ data }) => data.id === id)
    .map(({ type, changed }) => [type, changed]);
  expect(events).toEqual([
    ["goal.created", null],
    ["goal.updated", ["status_override", "status"]],
    ["goal.status_changed", ["status"]],
    ["goal.updated", ["status_override", "status"]],
    ["goal.status_changed", ["status"]],
  ]);
});

test("guests and keys limited to projects see no goals", async () => {
  const here = await world();
  const guest = await here.as({ role: "guest", projectRole: "member" });
  const viewer = await here.as({ role: "viewer" });
  const { id } = await goal(here.owner);
  expect((await guest.get("W/goals").expect(200)).data).toEqual([]);
  await guest.get(`W/goals/${id}`).expect(404);
  await guest.get(`W/goals/${id}/key-results`).expect(404);
  for (const path of [`W/goals/${id}`, `W/goals/${here.project.id}`]) {
    await guest.patch(path, { title: "x" }).expect(403, "insufficient_role");
  }
  await guest.post("W/goals", { title: "x" }).expect(403, "insufficient_role");
  await viewer.get(`W/goals/${id}`).expect(200);
  await viewer.patch(`W/goals/${id}`, { title: "x" }).expect(403, "insufficient_role");
  const limited = await here.keyFor(here.owner, { projectIds: [here.project.id] });
  await limited.get("W/goals").expect(403, "key_project_limit");
  await limited.get(`W/goals/${id}`).expect(403, "key_project_limit");
  const stranger = (await here.other()).owner;
  await stranger.get(`W/goals/${id}`).expect(404);
});

test("the plan limits the number of goals, and the usage shows it", async () => {
  const here = await world({ plan: "free" });
  const made = await Promise.all(Array.from({ length: 8 }, () => here.owner.post("W/goals", { title: "Goal" })));
  expect(made.filter(({ status }) => status === 201)).toHaveLength(5);
  const refused = made.find(({ status }) => status !== 201)!;
  expect(refused.body).toMatchObject({ code: "plan_limit_reached" });
  expect((await here.owner.get("W/usage").expect(200)).data.caps.goals).toEqual({ used: 5, limit: 5 });
  const { data } = await here.owner.get("W/goals").expect(200);
  await here.owner.delete(`W/goals/${data[0].id}`).expect(200);
  await here.owner.post("W/goals", { title: "Goal" }).expect(201);
});
