import { expect, test } from "vitest";
import { backgroundOf } from "../../src/domain/events/background.ts";
import type { Lease } from "../../src/domain/kernel/leases.sql.ts";
import type { Recount } from "../../src/domain/knowledge/key-results/recount.sql.ts";
import { recount } from "../../src/domain/knowledge/key-results/recount.ts";
import { announceGoals } from "../../src/workers/knowledge/announce-goals.ts";
import { countKeyResults } from "../../src/workers/knowledge/count-key-results.ts";
import type { Client } from "../support/client.ts";
import { drain as drainJobs } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";

const drain = () => drainJobs({ also: [countKeyResults, announceGoals] });
const goal = async (client: Client, body: Record<string, unknown> = {}) =>
  (await client.post("W/goals", { title: "Goal", ...body }).expect(201)).data;
const automatic = async (client: Client, goalId: string, body: Record<string, unknown> = {}) =>
  (await client.post(`W/goals/${goalId}/key-results`, { title: "KR", kind: "auto", ...body }).expect(201)).data;
const issue = async ({ owner, columns }: World, column: string, body: Record<string, unknown> = {}) =>
  (await owner.post("P/issues", { title: "Issue", status_id: columns[column], ...body }).expect(201)).data;
const counts = async (client: Client, { goal_id, id }: { goal_id: string; id: string }) => {
  const { data } = await client.get(`W/goals/${goal_id}/key-results`).expect(200);
  const { completed, total, progress_pct } = data.find((kr: { id: string }) => kr.id === id);
  return [completed, total, progress_pct];
};
const updatesOf = ({ sql }: World, id: string) =>
  sql<{ changed: string[]; data: Record<string, unknown> }>(
    "select changed, data from event where type = 'key_result.updated' and data ->> 'id' = $1 order by id",
    [id],
  );

test("an automatic key result counts the issues at its creation and follows them", async () => {
  const here = await world();
  const { owner } = here;
  await issue(here, "Done");
  const open = await issue(here, "To Do");
  await issue(here, "Cancelled");
  const archived = await issue(here, "Done");
  await owner.delete(`P/issues/${archived.key}`).expect(200);

  const top = await goal(owner);
  const { id } = await goal(owner, { parent_goal_id: top.id });
  const kr = await automatic(owner, id);
  expect(kr).toMatchObject({ completed: 1, total: 2, progress_pct: 50, scope: null, updated_value_at: kr.updated_at });
  expect((await owner.get(`W/goals/${top.id}`).expect(200)).data.progress_pct).toBe(50);
  await drain();
  expect(await updatesOf(here, kr.id)).toEqual([]);

  await owner.patch(`P/issues/${open.key}`, { status_id: here.columns.Done }).expect(200);
  await issue(here, "To Do");
  await drain();
  expect(await counts(owner, kr)).toEqual([2, 3, 67]);
  expect((await owner.get(`W/goals/${top.id}`).expect(200)).data.progress_pct).toBe(67);
  const updates = await updatesOf(here, kr.id);
  expect(updates.at(-1)!.data).toMatchObject({ completed: 2, total: 3, progress_pct: 67 });

  await owner.post(`P/issues/${archived.key}/restore`).expect(200);
  await drain();
  expect(await counts(owner, kr)).toEqual([3, 4, 75]);
});

test("issues that change do not outdate the key result that a person edits", async () => {
  const here = await world();
  const { owner } = here;
  const { id } = await goal(owner);
  const made = await owner.post(`W/goals/${id}/key-results`, { title: "KR", kind: "auto" }).expect(201);
  await issue(here, "Done");
  await drain();
  const [counted] = (await owner.get(`W/goals/${id}/key-results`).expect(200)).data;
  expect(counted).toMatchObject({ completed: 1, updated_at: made.data.updated_at });
  expect(counted.updated_value_at > made.data.updated_value_at).toBe(true);
  const headers = { "if-match": made.headers.get("etag")! };
  const path = `W/goals/${id}/key-results/${made.data.id}`;
  await owner.patch(path, { title: "Renamed" }, { headers }).expect(200);
  await owner.patch(path, { title: "Too late" }, { headers }).expect(412);
});

test("a scope that is sent back keeps what has been deleted or hidden since", async () => {
  const here = await world();
  const { owner } = here;
  await issue(here, "Done");
  const label = (await owner.post("P/labels", { name: "x" }).expect(201)).data.id;
  const { id } = await goal(owner);
  const leaver = await here.as({ role: "member" });
  const kr = await automatic(owner, id, { scope: { label_ids: [label], assignee_id: leaver.email } });
  expect(kr).toMatchObject({ total: 0 });
  await owner.delete(`P/labels/${label}`).expect(200);
  await owner.delete(`W/members/${leaver.userId}`).expect(200);
  const path = `W/goals/${id}/key-results/${kr.id}`;
  const { data, body } = await owner.patch(path, { title: "Renamed", scope: kr.scope }).expect(200);
  expect(data).toMatchObject({ title: "Renamed", scope: kr.scope, total: 0 });
  expect(body.warnings).toBeUndefined();
  const scope = { ...kr.scope, issue_types: ["task"] };
  const changed = await owner.patch(path, { scope }).expect(200);
  expect(changed.data).toMatchObject({ scope, total: 0 });
  expect(changed.body.warnings).toBeUndefined();
  const dropped = await owner.patch(path, { scope: { label_ids: [label, owner.userId] } }).expect(200);
  expect(dropped.body.warnings).toMatchObject([{ dropped: { label_ids: [owner.userId] } }]);
  expect(dropped.data.scope).toMatchObject({ label_ids: [label], assignee_id: null });
});

test("the scope of a key result limits what it counts, and lists of a key are alternatives", async () => {
  const here = await world();
  const { owner } = here;
  const member = await here.as({ role: "member" });
  const label = (await owner.post("P/labels", { name: "x" }).expect(201)).data.id;
  const milestone = (await owner.post("P/milestones", { name: "M" }).expect(201)).data.id;
  const epic = (await issue(here, "To Do", { type: "epic" })).id;
  const story = (await issue(here, "To Do", { type: "story", story_points: 5 })).id;
  await issue(here, "Done", { type: "bug", story_points: 3, labels: [label] });
  await issue(here, "To Do", { type: "task", story_points: 8, milestone_id: milestone, assignee: member.email });
  await issue(here, "Done", { type: "subtask", parent: story, milestone_id: milestone, labels: [label] });
  const { id } = await goal(owner);
  const measured = async (scope: Record<string, unknown>, measure = "issues") => {
    const { completed, total, scope: stored } = await automatic(owner, id, { scope, measure });
    expect(stored).toMatchObject(scope);
    return [completed, total];
  };
  expect(await measured({})).toEqual([2, 5]);
  expect(await measured({ issue_types: ["bug", "task"] })).toEqual([1, 2]);
  expect(await measured({ label_ids: [label] })).toEqual([2, 2]);
  expect(await measured({ milestone_ids: [milestone] })).toEqual([1, 2]);
  expect(await measured({ milestone_ids: [milestone], label_ids: [label] })).toEqual([1, 1]);
  expect(await measured({ assignee_id: member.userId })).toEqual([0, 1]);
  expect(await measured({ parent_ids: [story] })).toEqual([1, 1]);
  expect(await measured({ parent_ids: [epic] })).toEqual([0, 0]);
  expect(await measured({ project_ids: [here.project.id] }, "points")).toEqual([3, 16]);
  const empty = await automatic(owner, id, { scope: { parent_ids: [epic] } });
  expect(empty).toMatchObject({ completed: 0, total: 0, progress_pct: null });

  const path = `W/goals/${id}/key-results/${empty.id}`;
  const changed = (await owner.patch(path, { scope: { issue_types: ["bug"] } }).expect(200)).data;
  expect(changed).toMatchObject({ completed: 1, total: 1, progress_pct: 100 });
  expect((await owner.patch(path, { measure: "points" }).expect(200)).data).toMatchObject({ completed: 3, total: 3 });
  expect((await owner.patch(path, { scope: null }).expect(200)).data).toMatchObject({ completed: 3, total: 16 });
  expect((await owner.patch(path, { scope: null }).expect(200)).data.scope).toBeNull();
});

test("unknown references are dropped with a warning, and values of an automatic key result are not stored", async () => {
  const here = await world();
  const { owner } = here;
  const label = (await owner.post("P/labels", { name: "x" }).expect(201)).data.id;
  const { id } = await goal(owner);
  const { body } = await owner
    .post(`W/goals/${id}/key-results`, {
      title: "KR",
      kind: "auto",
      target_value: 5,
      scope: { project_ids: ["WEB", "NOPE", id], label_ids: ["x", label] },
    })
    .expect(201);
  expect(body.data).toMatchObject({
    target_value: null,
    scope: { project_ids: [here.project.id], label_ids: [label], assignee_id: null },
  });
  expect(body.warnings).toMatchObject([
    { code: "values_ignored", fields: ["target_value"] },
    { code: "references_dropped", dropped: { project_ids: ["NOPE", id], label_ids: ["x"] } },
  ]);
  const path = `W/goals/${id}/key-results/${body.data.id}`;
  const reply = await owner.patch(path, { current_value: 3 }).expect(200);
  expect(reply.data.current_value).toBeNull();
  expect(reply.body.warnings).toMatchObject([{ code: "values_ignored", fields: ["current_value"] }]);
});

test("a list of a scope in which nothing exists is refused, because an empty one matches every issue", async () => {
  const here = await world();
  const { owner } = here;
  const { id } = await goal(owner);
  const path = `W/goals/${id}/key-results`;
  const made = await automatic(owner, id, { scope: { project_ids: ["WEB"] } });
  for (const [scope, at] of [
    [{ project_ids: ["WBE"] }, "/scope/project_ids/0"],
    [{ project_ids: ["WEB"], label_ids: [id] }, "/scope/label_ids/0"],
    [{ parent_ids: [id, "x"] }, "/scope/parent_ids/0"],
    [{ assignee_id: "nobody@x.test" }, "/scope/assignee_id"],
  ] as const) {
    const bodies = [
      await owner.post(path, { title: "KR", kind: "auto", scope }).expect(400, "invalid_reference"),
      await owner.patch(`${path}/${made.id}`, { scope }).expect(400, "invalid_reference"),
    ].map(({ body }) => body);
    for (const { error } of bodies) expect(error.details.path).toBe(at);
  }
  expect((await owner.get(path).expect(200)).data).toMatchObject([{ id: made.id, scope: made.scope }]);
});

test("issues of scoped projects never count, whoever asks", async () => {
  const here = await world();
  const hidden = await here.hidden();
  const { owner } = here;
  await issue(here, "To Do");
  await issue(hidden, "Done");
  const label = (await hidden.owner.post("P/labels", { name: "x" }).expect(201)).data.id;
  const { id } = await goal(owner);
  const all = await automatic(owner, id);
  expect([all.completed, all.total]).toEqual([0, 1]);
  for (const scope of [{ project_ids: [hidden.project.id] }, { label_ids: [label] }]) {
    const refused = { title: "KR", kind: "auto", scope };
    await owner.post(`W/goals/${id}/key-results`, refused).expect(400, "invalid_reference");
  }
  await issue(hidden, "Done");
  await drain();
  expect(await counts(owner, all)).toEqual([0, 1, 0]);

  await owner.patch(`W/projects/${hidden.project.key}`, { scoped: false }).expect(200);
  await drain();
  expect(await counts(owner, all)).toEqual([2, 3, 67]);
  await owner.patch(`W/projects/${hidden.project.key}`, { scoped: true }).expect(200);
  await drain();
  expect(await counts(owner, all)).toEqual([0, 1, 0]);
});

test("a deleted label, a renamed column's category and a deleted goal are followed, too", async () => {
  const here = await world();
  const { owner } = here;
  const label = (await owner.post("P/labels", { name: "x" }).expect(201)).data.id;
  await issue(here, "To Do", { labels: [label] });
  await issue(here, "Done");
  const { id } = await goal(owner);
  const labelled = await automatic(owner, id, { scope: { label_ids: [label] } });
  const all = await automatic(owner, id);
  expect([labelled.total, all.completed]).toEqual([1, 1]);
  await owner.patch(`P/statuses/${here.columns["To Do"]}`, { category: "done" }).expect(200);
  await drain();
  expect(await counts(owner, all)).toEqual([2, 2, 100]);
  expect(await counts(owner, labelled)).toEqual([1, 1, 100]);
  await owner.delete(`P/labels/${label}`).expect(200);
  await drain();
  expect(await counts(owner, labelled)).toEqual([0, 0, null]);
  await owner.delete(`W/goals/${id}`).expect(200);
  await issue(here, "Done");
  await drain();
  expect((await updatesOf(here, all.id)).at(-1)!.data).toMatchObject({ completed: 2 });
});

test("a worker counts if there are many issues, and the key result shows no counts before", async () => {
  const here = await world();
  const { owner, sql } = here;
  await issue(here, "Done");
  await issue(here, "To Do");
  // The number of the last issue is the bound that the call looks at.
  await sql("update issue_counter set last_number = 60000 where project_id = $1", [here.project.id]);
  const { id } = await goal(owner);
  const kr = await automatic(owner, id);
  expect(kr).toMatchObject({ completed: null, total: null, progress_pct: null });
  await drain();
  expect(await counts(owner, kr)).toEqual([1, 2, 50]);
  expect((await owner.get(`W/goals/${id}`).expect(200)).data.progress_pct).toBe(50);
});

test("counts are right after changes that come while a worker counts", async () => {
  const here = await world();
  const { owner, columns } = here;
  const { id } = await goal(owner);
  const kr = await automatic(owner, id);
  const draining = (async () => {
    for (let n = 0; n < 3; n++) await drain();
  })();
  const made = await Promise.all(Array.from({ length: 20 }, () => issue(here, "To Do")));
  await Promise.all(made.slice(0, 13).map(({ key }) => owner.patch(`P/issues/${key}`, { status_id: columns.Done })));
  await draining;
  await drain();
  expect(await counts(owner, kr)).toEqual([13, 20, 65]);
});

test("the status of a goal changes when its time comes, and an event tells", async () => {
  const here = await world();
  const { owner, sql } = here;
  const { id } = await goal(owner, {
    progress_override: 50,
    cycle_start_at: new Date(Date.now() - 60_000).toISOString(),
    cycle_due_at: new Date(Date.now() + 600_000).toISOString(),
  });
  const [stored] = await sql<{ status: string; status_due_at: string }>(
    "select status, status_due_at from goal where id = $1",
    [id],
  );
  expect(stored!.status).toBe("on_track");
  const due = (Date.parse(stored!.status_due_at) - Date.now()) / 1000;
  expect(due).toBeGreaterThan(320);
  expect(due).toBeLessThan(340);
  // As if the time had come: the goal was due a minute ago.
  const past = new Date(Date.now() - 60_001).toISOString();
  await sql("update goal set cycle_due_at = $2, status_due_at = $2 where id = $1", [id, past]);
  expect((await owner.get(`W/goals/${id}`).expect(200)).data.status).toBe("off_track");
  await drain();
  const events = await sql(
    "select changed, previous, data ->> 'status' as status, actor_kind from event where type = 'goal.status_changed' and data ->> 'id' = $1",
    [id],
  );
  expect(events).toEqual([
    { changed: ["status"], previous: { status: "on_track" }, status: "off_track", actor_kind: "system" },
  ]);
  expect(await sql("select status, status_due_at from goal where id = $1", [id])).toEqual([
    { status: "off_track", status_due_at: null },
  ]);
});

test("another worker counts if one dies while it counts, and a late worker stores nothing", async () => {
  const here = await world();
  const { owner, sql } = here;
  const { id } = await goal(owner);
  const kr = await automatic(owner, id);
  await drain();
  await issue(here, "Done");
  // As a worker that died leaves it: claimed for five minutes, by a process without a heartbeat.
  await sql(
    `insert into key_result_recount as r (project_id, workspace_id, due_at, claimed_by)
     values ($1, $2, now() + interval '5 minutes', $1)
     on conflict (project_id) do update set due_at = excluded.due_at, claimed_by = excluded.claimed_by`,
    [here.project.id, here.workspace.id],
  );
  await drain();
  expect(await counts(owner, kr)).toEqual([1, 1, 100]);
  const base = backgroundOf(here.app.resources, new Date().toISOString());
  const late = {
    ...{ project_id: here.project.id, workspace_id: here.workspace.id, requests: 1 },
    ...{ lease_key: here.project.id, lease_until: new Date().toISOString() },
  };
  await sql("update key_result_count set completed = 0 where key_result_id = $1", [kr.id]);
  expect(await recount(base, late)).toBe(0);
  expect(await sql("select completed from key_result_count where key_result_id = $1", [kr.id])).toEqual([
    { completed: 0 },
  ]);
});

test("a project that cannot be counted is tried again after longer and longer times", async () => {
  const here = await world();
  const { owner, sql } = here;
  const { id } = await goal(owner);
  const kr = await automatic(owner, id);
  await issue(here, "Done");
  await drain();
  const [before] = await sql<{ scope: unknown }>("select scope from key_result where id = $1", [kr.id]);
  await sql("update key_result set scope = $2 where id = $1", [kr.id, { label_ids: ["no uuid"] }]);
  const base = backgroundOf(here.app.resources, new Date().toISOString());
  for (const seconds of [10, 20, 40]) {
    // As a worker claims it.
    const [claim] = await sql<Recount & Lease>(
      `update key_result_recount set due_at = now() + interval '5 minutes' where project_id = $1
       returning project_id, workspace_id, requests, project_id as lease_key, due_at as lease_until`,
      [here.project.id],
    );
    await expect(recount(base, claim!)).rejects.toThrow("uuid");
    const [row] = await sql<{ wait: number }>(
      "select extract(epoch from due_at - now())::float as wait from key_result_recount where project_id = $1",
      [here.project.id],
    );
    expect(Math.abs(row!.wait - seconds), `${row!.wait} s`).toBeLessThan(3);
  }
  await sql("update key_result set scope = $2 where id = $1", [kr.id, before!.scope]);
  await sql("update key_result_recount set due_at = now() where project_id = $1", [here.project.id]);
  await drain();
  expect(await counts(owner, kr)).toEqual([1, 1, 100]);
  await issue(here, "Done");
  await drain();
  expect(await counts(owner, kr)).toEqual([2, 2, 100]);
});

test("a key counts only issues that it may read, and none if it is limited to projects", async () => {
  const here = await world();
  const top = await goal(here.owner);
  const path = `W/goals/${top.id}/key-results`;
  const auto = { title: "KR", kind: "auto" };
  const weak = await here.keyFor(here.owner, { scopes: ["goals:read", "goals:write"] });
  const { body } = await weak.post(path, auto).expect(403, "insufficient_scope");
  expect(body.error.details.required_scope).toBe("issues:read");
  const { id } = await automatic(here.owner, top.id);
  await weak.patch(`${path}/${id}`, { scope: { issue_types: ["bug"] } }).expect(403, "insufficient_scope");
  await weak.patch(`${path}/${id}`, { measure: "points" }).expect(403, "insufficient_scope");
  await weak.patch(`${path}/${id}`, { title: "Renamed" }).expect(200);
  const limited = await here.keyFor(here.owner, { projectIds: [here.project.id] });
  await limited.post(path, auto).expect(403, "key_project_limit");
  await limited.patch(`${path}/${id}`, { scope: {} }).expect(403, "key_project_limit");
});
