import { expect, test } from "vitest";
import { countKeyResults } from "../../src/workers/knowledge/count-key-results.ts";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";

/** Projects of a portfolio that only their members see. */

const eventsOf = ({ sql, workspace }: World) =>
  sql<{ type: string; data: Record<string, unknown>; changed: string[] | null }>(
    "select type, data, changed from event where workspace_id = $1 and type like 'portfolio.%' order by id",
    [workspace.id],
  );
const portfolio = async ({ owner }: World) => (await owner.post("W/portfolios", { name: "One" }).expect(201)).data.id;
const shown = async (client: Client, id: string) => {
  const [one, list] = [
    await client.get(`W/portfolios/${id}`).expect(200),
    await client.get("W/portfolios").expect(200),
  ];
  expect(list.data).toEqual([one.data]);
  const projects = (await client.get(`W/portfolios/${id}/projects`).expect(200)).data;
  return {
    count: one.data.project_count,
    progress: one.data.progress_pct,
    keys: projects.map(({ project_key }: { project_key: string }) => project_key),
  };
};
const issue = ({ owner, columns }: World, column: string) =>
  owner.post("P/issues", { title: "Issue", status_id: columns[column] }).expect(201);

test("a project that only its members see shows to nobody else in a portfolio", async () => {
  const here = await world();
  const { owner } = here;
  const hidden = await here.hidden();
  const outsider = await here.as({ role: "member" });
  const insider = await hidden.as({ role: "member", projectRole: "viewer" });
  await issue(here, "Done");
  await issue(here, "To Do");
  await issue(hidden, "Done");
  const id = await portfolio(here);
  await owner.post(`W/portfolios/${id}/projects`, { project_id: "WEB" }).expect(201);
  const before = { one: await owner.get(`W/portfolios/${id}`).expect(200), events: (await eventsOf(here)).length };

  const added = await owner.post(`W/portfolios/${id}/projects`, { project_id: "HID" }).expect(201);
  expect(added.data.progress_pct).toBe(100);
  expect(added.body.warnings).toMatchObject([{ code: "project_not_counted" }]);
  const all = { count: 2, progress: 50, keys: ["HID", "WEB"] };
  const open = { count: 1, progress: 50, keys: ["WEB"] };
  expect(await shown(owner, id)).toEqual(all);
  expect(await shown(insider, id)).toEqual(all);
  expect(await shown(outsider, id)).toEqual(open);
  // Not even the time of change tells that something was added.
  const seen = await outsider.get(`W/portfolios/${id}`).expect(200);
  expect(seen.text).toBe(before.one.text);
  expect(seen.headers.get("etag")).toBe(before.one.headers.get("etag"));
  expect(await eventsOf(here)).toHaveLength(before.events);

  // Events of other changes count only what all members see.
  await owner.patch(`W/portfolios/${id}`, { name: "Two" }).expect(200);
  const updated = (await eventsOf(here)).at(-1)!;
  expect(updated).toMatchObject({ changed: ["name"], data: { project_count: 1, progress_pct: 50 } });

  await owner.delete(`W/portfolios/${id}/projects/HID`).expect(200);
  expect(await eventsOf(here)).toHaveLength(before.events + 1);
  expect(await shown(owner, id)).toEqual(open);
});

test("a project in a portfolio that becomes scoped, or is archived", async () => {
  const here = await world();
  const { owner } = here;
  const outsider = await here.as({ role: "member" });
  await issue(here, "Done");
  const id = await portfolio(here);
  await owner.post(`W/portfolios/${id}/projects`, { project_id: "WEB" }).expect(201);
  expect(await shown(outsider, id)).toEqual({ count: 1, progress: 100, keys: ["WEB"] });

  await owner.patch("P", { scoped: true }).expect(200);
  expect(await shown(outsider, id)).toEqual({ count: 0, progress: null, keys: [] });
  expect(await shown(owner, id)).toEqual({ count: 1, progress: null, keys: ["WEB"] });
  const deleted = (await eventsOf(here)).length;
  await owner.delete(`W/portfolios/${id}/projects/WEB`).expect(200);
  await owner.post(`W/portfolios/${id}/projects`, { project_id: "WEB" }).expect(201);
  expect(await eventsOf(here)).toHaveLength(deleted);
  await owner.patch("P", { scoped: false }).expect(200);
  expect(await shown(outsider, id)).toEqual({ count: 1, progress: 100, keys: ["WEB"] });

  // What was done in an archived project stays done.
  await owner.delete("P").expect(200);
  expect(await shown(outsider, id)).toEqual({ count: 1, progress: 100, keys: ["WEB"] });
  await owner.delete(`W/portfolios/${id}/projects/WEB`).expect(200);
  expect(await shown(outsider, id)).toEqual({ count: 0, progress: null, keys: [] });
  await owner.post(`W/portfolios/${id}/projects`, { project_id: "WEB" }).expect(409, "archived");
});

test("receivers learn nothing of projects that only their members see", async () => {
  const here = await world({ webhook: ["portfolio.*"] });
  const hidden = await here.hidden();
  const id = await portfolio(here);
  for (const { project } of [here, hidden]) {
    await here.owner.post(`W/portfolios/${id}/projects`, { project_id: project.id }).expect(201);
  }
  await here.owner.delete(`W/portfolios/${id}`).expect(200);
  await drain();
  const heard = here.receiver.requests.map(({ json }) => [json.type, json.data.project_count]);
  expect(heard).toEqual([
    ["portfolio.created", 0],
    ["portfolio.updated", 1],
    ["portfolio.deleted", 1],
  ]);
  await here.receiver.stop();
});

test("automatic key results follow the projects of their portfolio", async () => {
  const here = await world();
  const { owner } = here;
  const app = (await owner.post("W/projects", { name: "App", key: "APP" }).expect(201)).data;
  await owner.post("W/projects/APP/issues", { title: "Open" }).expect(201);
  await issue(here, "Done");
  const id = await portfolio(here);
  const goal = (await owner.post("W/goals", { title: "Goal", portfolio_id: id }).expect(201)).data;
  const path = `W/goals/${goal.id}/key-results`;
  await owner.post(path, { title: "KR", kind: "auto" }).expect(201);
  const counts = async () => {
    await drain({ also: [countKeyResults] });
    const [{ completed, total, progress_pct }] = (await owner.get(path).expect(200)).data;
    return [completed, total, progress_pct];
  };
  expect(await counts()).toEqual([0, 0, null]);
  await owner.post(`W/portfolios/${id}/projects`, { project_id: "WEB" }).expect(201);
  expect(await counts()).toEqual([1, 1, 100]);
  await owner.post(`W/portfolios/${id}/projects`, { project_id: app.id }).expect(201);
  expect(await counts()).toEqual([1, 2, 50]);
  await owner.delete(`W/portfolios/${id}/projects/WEB`).expect(200);
  expect(await counts()).toEqual([0, 1, 0]);
  // A goal of the company counts the projects of the workspace, within the call that deletes the portfolio.
  await owner.delete(`W/portfolios/${id}`).expect(200);
  expect((await owner.get(`W/goals/${goal.id}`).expect(200)).data).toMatchObject({ progress_pct: 50, version: 2 });
  expect(await counts()).toEqual([1, 2, 50]);
});
