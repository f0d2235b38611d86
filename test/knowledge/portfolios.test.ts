import { expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { type World, world } from "../support/world.ts";

const eventsOf = ({ sql, workspace }: World, like = "portfolio.%") =>
  sql<{ type: string; data: Record<string, unknown>; previous: Record<string, unknown> | null; changed: string[] }>(
    "select type, data, previous, changed from event where workspace_id = $1 and type like $2 order by id",
    [workspace.id, like],
  );
const portfolio = async (client: Client, body: Record<string, unknown> = {}) =>
  (await client.post("W/portfolios", { name: "Portfolio", ...body }).expect(201)).data;
const goal = async (client: Client, body: Record<string, unknown> = {}) =>
  (await client.post("W/goals", { title: "Goal", ...body }).expect(201)).data;
const read = async (client: Client, id: string) => (await client.get(`W/portfolios/${id}`).expect(200)).data;
const projectsOf = async (client: Client, id: string) =>
  (await client.get(`W/portfolios/${id}/projects`).expect(200)).data;
const add = async (client: Client, id: string, project: string) =>
  (await client.post(`W/portfolios/${id}/projects`, { project_id: project }).expect(201)).data;
/** Creates a project with one issue in each of the given categories. */
async function project(client: Client, key: string, statuses: string[], body: Record<string, unknown> = {}) {
  const { data } = await client.post("W/projects", { name: `Project ${key}`, key, ...body }).expect(201);
  for (const status of statuses) {
    const issue = await client.post(`W/projects/${key}/issues`, { title: status }).expect(201);
    await client.post(`W/projects/${key}/issues/${issue.data.key}/transition`, { status }).expect(200);
  }
  return data;
}

test("a portfolio is created with defaults, changed, listed and deleted", async () => {
  const here = await world();
  const { owner } = here;
  const { data } = await owner.post("W/portfolios", { name: " Payments " }).expect(201);
  expect(data).toEqual({
    id: expect.any(String),
    workspace_id: here.workspace.id,
    name: "Payments",
    description_md: null,
    color: "#8b8f98",
    lead_user_id: null,
    created_by: owner.userId,
    created_at: expect.stringMatching(/Z$/),
    updated_at: data.created_at,
    goal_count: 0,
    project_count: 0,
    progress_pct: null,
  });
  expect((await owner.get("W/portfolios").expect(200)).body).toEqual({
    data: [data],
    pagination: { next_cursor: null },
  });
  expect(await read(owner, data.id)).toEqual(data);
  const path = `W/portfolios/${data.id}`;
  expect((await owner.patch(path, {}).expect(200)).data).toEqual(data);
  expect((await owner.patch(path, { name: "Payments" }).expect(200)).data).toEqual(data);

  const body = { name: "Money", color: "#FF0000", description_md: "All of it.", lead_user_id: "me" };
  const changed = (await owner.patch(path, body).expect(200)).data;
  expect(changed).toMatchObject({ ...body, lead_user_id: owner.userId });
  expect(changed.updated_at > data.updated_at).toBe(true);
  // A client may send back a whole portfolio with one field changed.
  expect((await owner.patch(path, { ...changed, description_md: null }).expect(200)).data.description_md).toBeNull();
  expect((await owner.delete(path).expect(200)).data).toEqual({
    id: data.id,
    deleted: true,
    released_goal_count: 0,
    removed_project_count: 0,
  });
  await owner.delete(path).expect(404, "not_found");
  await owner.get(path).expect(404);
  await owner.patch(path, {}).expect(404);
  expect((await owner.get("W/portfolios").expect(200)).data).toEqual([]);
  expect((await eventsOf(here)).map(({ type, changed }) => [type, changed])).toEqual([
    ["portfolio.created", null],
    ["portfolio.updated", ["name", "description_md", "color", "lead_user_id"]],
    ["portfolio.updated", ["description_md"]],
    ["portfolio.deleted", null],
  ]);
});

test("bodies of portfolios are checked", async () => {
  const here = await world();
  const guest = await here.as({ role: "guest", projectRole: "member" });
  const { owner } = here;
  const { id } = await portfolio(owner);
  const bad: [Record<string, unknown>, string][] = [
    [{ name: " " }, "validation_failed"],
    [{ name: "x".repeat(121) }, "validation_failed"],
    [{ description_md: "x".repeat(10_001) }, "validation_failed"],
    [{ color: "red" }, "validation_failed"],
    [{ lead_user_id: guest.userId }, "invalid_reference"],
    [{ lead_user_id: id }, "invalid_reference"],
    [{ lead: "me" }, "unknown_field"],
  ];
  for (const [body, code] of bad) {
    await owner.post("W/portfolios", { name: "Portfolio", ...body }).expect(400, code);
    await owner.patch(`W/portfolios/${id}`, body).expect(400, code);
  }
  await owner.patch(`W/portfolios/${id}`, { color: null }).expect(400, "validation_failed");
  await owner.post("W/portfolios", {}).expect(400, "validation_failed");
  await owner.patch(`W/portfolios/${id}`, { goal_count: 7 }).expect(400, "read_only_field");
});

test("a list of portfolios has pages, newest first", async () => {
  const { owner } = await world();
  for (const name of ["A", "B", "C"]) await portfolio(owner, { name });
  const names: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const path: string = `W/portfolios?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const { body } = await owner.get(path).expect(200);
    names.push(...body.data.map(({ name }: { name: string }) => name));
    cursor = body.pagination.next_cursor;
  }
  expect(names).toEqual(["C", "B", "A"]);
});

test("projects are added by id, key or slug, once, and removed", async () => {
  const here = await world();
  const { owner } = here;
  const { id } = await portfolio(owner);
  const web = await add(owner, id, here.project.key);
  expect(web).toEqual({
    portfolio_id: id,
    project_id: here.project.id,
    project_key: "WEB",
    name: "Website",
    progress_pct: null,
    added_at: expect.stringMatching(/Z$/),
  });
  for (const again of [here.project.id, "web"]) expect(await add(owner, id, again)).toEqual(web);
  expect((await owner.post(`W/portfolios/${id}/projects`, { project: "web" }).expect(201)).data).toEqual(web);
  const app = await project(owner, "APP", []);
  await add(owner, id, app.slug);
  const listed = await owner.get(`W/portfolios/${id}/projects`).expect(200);
  expect(listed.body.pagination).toEqual({ next_cursor: null });
  expect(listed.data.map(({ project_key }: { project_key: string }) => project_key)).toEqual(["APP", "WEB"]);
  expect((await read(owner, id)).project_count).toBe(2);

  for (const name of ["APP", "app", app.id]) {
    const { data } = await owner.delete(`W/portfolios/${id}/projects/${name}`).expect(200);
    expect(data).toEqual({ portfolio_id: id, project_id: app.id, removed: true });
  }
  expect(await projectsOf(owner, id)).toEqual([web]);
  const changes = (await eventsOf(here)).map(({ type, changed, previous, data }) => [
    type,
    changed,
    previous,
    data.project_count,
  ]);
  expect(changes).toEqual([
    ["portfolio.created", null, null, 0],
    ["portfolio.updated", ["project_count"], { project_count: 0 }, 1],
    ["portfolio.updated", ["project_count"], { project_count: 1 }, 2],
    ["portfolio.updated", ["project_count"], { project_count: 2 }, 1],
  ]);

  for (const unknown of [id, "nothing", "NONE"]) {
    await owner.delete(`W/portfolios/${id}/projects/${unknown}`).expect(404, "not_found");
    await owner.post(`W/portfolios/${id}/projects`, { project_id: unknown }).expect(400, "invalid_reference");
  }
  await owner.post(`W/portfolios/${id}/projects`, {}).expect(400, "validation_failed");
  for (const unknown of [here.project.id, "x"]) {
    await owner.get(`W/portfolios/${unknown}/projects`).expect(404);
    await owner.post(`W/portfolios/${unknown}/projects`, { project_id: "WEB" }).expect(404);
    await owner.delete(`W/portfolios/${unknown}/projects/WEB`).expect(404);
  }
});

test("the progress is the mean of top goals by weight and of projects", async () => {
  const { owner } = await world();
  const { id } = await portfolio(owner);
  const progress = async () => (await read(owner, id)).progress_pct;
  const top = await goal(owner, { portfolio_id: id, weight: 3, progress_override: 40 });
  expect(await progress()).toBe(40);
  // A goal below another goal of the portfolio counts in that one already.
  const below = await goal(owner, { portfolio_id: id, parent_goal_id: top.id, progress_override: 90 });
  expect(await progress()).toBe(40);
  await goal(owner, { portfolio_id: id, weight: 500 });
  const company = await goal(owner);
  await goal(owner, { portfolio_id: id, parent_goal_id: company.id, progress_override: 100 });
  expect(await progress()).toBe(55);
  expect((await read(owner, id)).goal_count).toBe(4);

  const half = await project(owner, "HALF", ["done", "todo", "cancelled"]);
  await owner.post("W/projects/HALF/statuses", { name: "Failed", category: "failed" }).expect(201);
  await add(owner, id, half.id);
  await add(owner, id, (await project(owner, "NIL", [])).id);
  expect(await projectsOf(owner, id)).toMatchObject([
    { project_key: "HALF", progress_pct: 50 },
    { project_key: "NIL", progress_pct: null },
  ]);
  expect(await progress()).toBe(54); // (3 × 0.4 + 1 + 0.5) / 5
  const { data } = await owner.post("W/projects/HALF/issues", { title: "Failed", status: "failed" }).expect(201);
  expect((await projectsOf(owner, id))[0].progress_pct).toBe(33);
  await owner.delete(`W/projects/HALF/issues/${data.key}`).expect(200);
  expect(await progress()).toBe(54);
  await owner.delete(`W/goals/${top.id}`).expect(200);
  expect(await progress()).toBe(80); // (0.9 + 1 + 0.5) / 3
  await owner.patch(`W/goals/${below.id}`, { portfolio_id: null }).expect(200);
  expect(await progress()).toBe(75);
  expect((await owner.get("W/portfolios").expect(200)).data[0].progress_pct).toBe(75);
});

test("100 and 0 percent are shown only if all or nothing is done", async () => {
  const { owner } = await world();
  const { id } = await portfolio(owner);
  const progress = async () => (await read(owner, id)).progress_pct;
  const one = await goal(owner, { portfolio_id: id, weight: 999, progress_override: 100 });
  const two = await goal(owner, { portfolio_id: id, weight: 5e-324, progress_override: 99.99 });
  expect(await progress()).toBe(99);
  await owner.patch(`W/goals/${one.id}`, { progress_override: 0 }).expect(200);
  expect(await progress()).toBe(1);
  await owner.patch(`W/goals/${two.id}`, { progress_override: 0 }).expect(200);
  expect(await progress()).toBe(0);
  for (const each of [one, two]) await owner.patch(`W/goals/${each.id}`, { progress_override: 100 }).expect(200);
  expect(await progress()).toBe(100);
});

test("a deleted portfolio releases its goals and its projects", async () => {
  const here = await world();
  const { owner } = here;
  const { id } = await portfolio(owner);
  const other = await portfolio(owner, { name: "Other" });
  const top = await goal(owner, { portfolio_id: id });
  const below = await goal(owner, { portfolio_id: id, parent_goal_id: top.id });
  const kept = await goal(owner, { portfolio_id: other.id });
  const gone = await goal(owner, { portfolio_id: id });
  await owner.delete(`W/goals/${gone.id}`).expect(200);
  for (const each of [id, other.id]) await add(owner, each, "WEB");

  const { data } = await owner.delete(`W/portfolios/${id}`).expect(200);
  expect(data).toEqual({ id, deleted: true, released_goal_count: 2, removed_project_count: 1 });
  for (const { id: goalId, parent_goal_id } of [top, below]) {
    const now = (await owner.get(`W/goals/${goalId}`).expect(200)).data;
    expect(now).toMatchObject({ portfolio_id: null, portfolio_name: null, parent_goal_id, version: 2 });
  }
  expect((await owner.get(`W/goals/${kept.id}`).expect(200)).data).toMatchObject({
    version: 1,
    portfolio_name: "Other",
  });
  expect(await projectsOf(owner, other.id)).toHaveLength(1);
  const updated = (await eventsOf(here, "goal.updated")).map(({ data, previous, changed }) => [
    data.id,
    previous,
    changed,
  ]);
  expect(updated.sort()).toEqual([top, below].map((each) => [each.id, { portfolio_id: id }, ["portfolio_id"]]).sort());
  await owner.post("W/goals", { title: "Goal", portfolio_id: id }).expect(400, "invalid_reference");
  await owner.patch(`W/goals/${kept.id}`, { portfolio_id: id }).expect(400, "invalid_reference");
});

test("guests and keys limited to projects see no portfolios, and only admins change them", async () => {
  const here = await world();
  const { owner } = here;
  const { id } = await portfolio(owner);
  await add(owner, id, "WEB");
  const guest = await here.as({ role: "guest", projectRole: "member" });
  expect((await guest.get("W/portfolios").expect(200)).data).toEqual([]);
  await guest.get(`W/portfolios/${id}`).expect(404);
  await guest.get(`W/portfolios/${id}/projects`).expect(404);
  const admin = await here.as({ role: "admin" });
  expect((await admin.patch(`W/portfolios/${id}`, { name: "New" }).expect(200)).data.name).toBe("New");
  for (const role of ["member", "viewer", "guest"] as const) {
    const client = await here.as({ role, projectRole: "admin" });
    await client.post("W/portfolios", { name: "x" }).expect(403, "insufficient_role");
    await client.patch(`W/portfolios/${id}`, { name: "x" }).expect(403, "insufficient_role");
    await client.delete(`W/portfolios/${id}`).expect(403, "insufficient_role");
    await client.post(`W/portfolios/${id}/projects`, { project_id: "WEB" }).expect(403, "insufficient_role");
    await client.delete(`W/portfolios/${id}/projects/WEB`).expect(403, "insufficient_role");
    if (role !== "guest") expect((await read(client, id)).project_count).toBe(1);
  }
  const limited = await here.keyFor(owner, { projectIds: [here.project.id] });
  for (const path of ["W/portfolios", `W/portfolios/${id}`, `W/portfolios/${id}/projects`]) {
    await limited.get(path).expect(403, "key_project_limit");
  }
  await (await here.other()).owner.get(`W/portfolios/${id}`).expect(404);
});

test("the plan limits the number of portfolios, however many are created at once", async () => {
  const here = await world({ plan: "pro" });
  for (let n = 0; n < 7; n++) await portfolio(here.owner);
  const made = await Promise.all(
    Array.from({ length: 8 }, () => here.owner.post("W/portfolios", { name: "One more" })),
  );
  expect(made.filter(({ status }) => status === 201)).toHaveLength(3);
  const refused = made.find(({ status }) => status !== 201)!;
  expect(refused.body).toMatchObject({ code: "plan_limit_reached", error: { details: { limit: 10, used: 10 } } });
  expect((await here.owner.get("W/usage").expect(200)).data.caps.portfolios).toEqual({ used: 10, limit: 10 });
  const { data } = await here.owner.get("W/portfolios").expect(200);
  await here.owner.delete(`W/portfolios/${data[0].id}`).expect(200);
  await portfolio(here.owner);
});
