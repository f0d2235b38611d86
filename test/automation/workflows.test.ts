import { expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { END, edge, START } from "./graphs.ts";

const SIMPLE = { nodes: [START, END], edges: [edge("start", "end")] };

const workflow = async (client: Client, body: Record<string, unknown> = {}) =>
  (await client.post("W/workflows", { name: "Review", ...body }).expect(201)).data;
const read = async (client: Client, id: string) => (await client.get(`W/workflows/${id}`).expect(200)).data;
const eventsOf = ({ sql, workspace }: World) =>
  sql<{ type: string; project_id: string | null; previous: unknown; changed: string[] | null }>(
    "select type, project_id, previous, changed from event where workspace_id = $1 and type like 'workflow.%' order by id",
    [workspace.id],
  );
/** Enables a workflow and starts a run of it on each of as many new issues. Returns the ids of the runs. */
async function openRuns({ owner }: World, workflowId: string, count: number): Promise<string[]> {
  await owner.patch(`W/workflows/${workflowId}`, { status: "enabled" }).expect(200);
  const items = Array.from({ length: count }, (_, n) => ({ title: `Issue ${n}` }));
  const { data } = await owner.post("P/issues/bulk", { items }).expect(201);
  const runs: string[] = [];
  for (const { data: issue } of data as { data: { key: string } }[]) {
    const started = await owner.post(`P/issues/${issue.key}/workflow`, { workflow_id: workflowId }).expect(201);
    runs.push(started.data.run_id);
  }
  return runs;
}

test("a workflow is created as a draft, changed, enabled, listed and deleted", async () => {
  const here = await world();
  const { owner } = here;
  const created = await workflow(owner, { name: " Review " });
  expect(created).toEqual({
    id: expect.any(String),
    name: "Review",
    description: null,
    status: "draft",
    disabled_reason: null,
    project_id: null,
    version: 1,
    valid: false,
    problems: [{ code: "no_start", message: "Add a start node.", node_id: null, edge_id: null, path: "/nodes" }],
    in_flight_runs: 0,
    created_by: owner.userId,
    created_at: expect.stringMatching(/Z$/),
    updated_at: created.created_at,
  });
  const path = `W/workflows/${created.id}`;
  expect(await read(owner, created.id)).toEqual({ ...created, nodes: [], edges: [] });
  expect((await owner.get("W/workflows").expect(200)).body).toEqual({
    data: [created],
    pagination: { next_cursor: null },
  });
  expect((await owner.patch(path, {}).expect(200)).data).toEqual(created);

  const graph = (await owner.put(`${path}/graph`, SIMPLE).expect(200)).data;
  expect(graph).toMatchObject({ version: 2, valid: true, problems: [], status: "draft" });
  const enabled = (await owner.patch(path, { status: "Enabled" }).expect(200)).data;
  expect(enabled).toMatchObject({ status: "enabled", version: 2 });
  expect((await owner.patch(path, { enabled: true }).expect(200)).data).toEqual(enabled);
  // A client may send back the whole workflow as it was shown.
  const whole = await read(owner, created.id);
  expect((await owner.patch(path, { ...enabled, description: "Two people look." }).expect(200)).data).toEqual({
    ...enabled,
    description: "Two people look.",
    updated_at: expect.any(String),
  });
  await owner.put(`${path}/graph`, { nodes: whole.nodes, edges: whole.edges }).expect(200);
  expect((await owner.patch(path, { enabled: false }).expect(200)).data).toMatchObject({ status: "draft", version: 2 });
  expect((await owner.delete(path).expect(200)).data).toEqual({ id: created.id, deleted: true, cancelled_runs: 0 });
  await owner.delete(path).expect(404, "not_found");
  await owner.get(path).expect(404);
  await owner.patch(path, {}).expect(404);
  await owner.put(`${path}/graph`, SIMPLE).expect(404);
  expect((await owner.get("W/workflows").expect(200)).data).toEqual([]);
  expect(await eventsOf(here)).toEqual([
    { type: "workflow.enabled", project_id: null, previous: { status: "draft" }, changed: ["status"] },
    { type: "workflow.disabled", project_id: null, previous: { status: "enabled" }, changed: ["status"] },
    { type: "workflow.deleted", project_id: null, previous: null, changed: null },
  ]);
});

test("status and enabled must not contradict each other", async () => {
  const { owner } = await world();
  const { id } = await workflow(owner, SIMPLE);
  const path = `W/workflows/${id}`;
  await owner.patch(path, { status: "draft", enabled: true }).expect(400, "mutually_exclusive");
  expect((await read(owner, id)).status).toBe("draft");
  expect((await owner.patch(path, { status: "enabled", enabled: true }).expect(200)).data.status).toBe("enabled");
});

test("a workflow with open runs is deleted only if they are cancelled, which a worker does", async () => {
  const here = await world();
  const { owner } = here;
  const nodes = [START, { id: "review", kind: "person", assignee_user_id: owner.userId }, END];
  const { id } = await workflow(owner, { nodes, edges: [edge("start", "review"), edge("review", "end")] });
  const runs = await openRuns(here, id, 9);
  const other = await workflow(owner, { nodes, edges: [edge("start", "review"), edge("review", "end")] });
  const [others] = await openRuns(here, other.id, 1);
  await owner.post(`W/workflow-runs/${runs[0]}/complete-stage`).expect(200);
  expect((await read(owner, id)).in_flight_runs).toBe(8);
  const { error } = (await owner.delete(`W/workflows/${id}`).expect(409, "workflow_runs_in_flight")).body;
  expect(error.details.in_flight).toBe(8);
  await owner.delete(`W/workflows/${id}?cancel_runs=false`).expect(409);
  await owner.delete(`W/workflows/${id}?cancel_runs=yes`).expect(400, "invalid_parameter");
  const { data } = await owner.delete(`W/workflows/${id}?cancel_runs=true`).expect(200);
  expect(data).toEqual({ id, deleted: true, cancelled_runs: 8 });
  await owner.get(`W/workflows/${id}`).expect(404);
  const issue = (await owner.post("P/issues", { title: "Late" }).expect(201)).data;
  await owner.post(`P/issues/${issue.key}/workflow`, { workflow_id: id }).expect(400, "invalid_reference");

  await drain();
  const statuses = await Promise.all(
    runs.map(async (run) => (await owner.get(`W/workflow-runs/${run}`).expect(200)).data.status),
  );
  expect(statuses).toEqual(["completed", ...Array(8).fill("cancelled")]);
  expect((await owner.get(`W/workflow-runs/${others}`).expect(200)).data.status).toBe("running");
  const cancelled = await here.sql("select 1 from event where workspace_id = $1 and type = 'workflow_run.cancelled'", [
    here.workspace.id,
  ]);
  expect(cancelled).toHaveLength(8);
});

test("a run that starts while its workflow is deleted is counted, or does not start", async () => {
  const here = await world();
  const { owner } = here;
  const nodes = [START, { id: "review", kind: "person", assignee_user_id: owner.userId }, END];
  for (let n = 0; n < 5; n++) {
    const { id } = await workflow(owner, { nodes, edges: [edge("start", "review"), edge("review", "end")] });
    await owner.patch(`W/workflows/${id}`, { status: "enabled" }).expect(200);
    const issue = (await owner.post("P/issues", { title: "Race" }).expect(201)).data;
    const [started, deleted] = await Promise.all([
      owner.post(`P/issues/${issue.key}/workflow`, { workflow_id: id }),
      owner.delete(`W/workflows/${id}`),
    ]);
    expect([
      [201, 409],
      [400, 200],
    ]).toContainEqual([started.status, deleted.status]);
  }
});

test("workflows of hidden projects are missing for members, guests and limited keys", async () => {
  const here = await world();
  const { owner, project } = here;
  const hidden = await here.hidden();
  const ofAll = await workflow(owner);
  const ofProject = await workflow(owner, { project_id: project.key });
  const ofHidden = await workflow(owner, { project_id: hidden.project.id });
  expect(ofProject.project_id).toBe(project.id);
  const member = await here.as({ role: "member" });
  const guest = await here.as({ role: "guest", projectRole: "member" });
  const stranger = await here.as({ role: "guest" });
  const limited = await here.keyFor(owner, { scopes: ["admin"], projectIds: [project.id] });
  const other = (await here.other()).owner;
  const cases: [Client, { id: string }[]][] = [
    [owner, [ofHidden, ofProject, ofAll]],
    [member, [ofProject, ofAll]],
    [guest, [ofProject]],
    [stranger, []],
    [limited, [ofProject]],
    [other, []],
  ];
  for (const [client, seen] of cases) {
    expect((await client.get("W/workflows").expect(200)).data.map(({ id }: { id: string }) => id)).toEqual(
      seen.map(({ id }) => id),
    );
    for (const one of [ofAll, ofProject, ofHidden]) {
      await client.get(`W/workflows/${one.id}`).expect(seen.includes(one) ? 200 : 404);
      await client.get(`W/workflows/${one.id}/runs`).expect(seen.includes(one) ? 200 : 404);
    }
  }
  await limited.post("W/workflows", { name: "For all" }).expect(403, "key_project_limit");
  await limited.patch(`W/workflows/${ofProject.id}`, { project_id: null }).expect(403, "key_project_limit");
  await limited.patch(`W/workflows/${ofAll.id}`, { name: "Other" }).expect(404);
  await limited.put(`W/workflows/${ofHidden.id}/graph`, SIMPLE).expect(404);
  await member.post("W/workflows", { name: "Mine" }).expect(403, "insufficient_role");
  await member.patch(`W/workflows/${ofAll.id}`, { name: "Mine" }).expect(403, "insufficient_role");
});

test("a stale If-Match is refused, whatever has changed", async () => {
  const { owner } = await world();
  const { id } = await workflow(owner, SIMPLE);
  const path = `W/workflows/${id}`;
  const etag = (await owner.get(path).expect(200)).headers.get("etag")!;
  // The version of the graph stays as it is.
  await owner.patch(path, { name: "Renamed" }).expect(200);
  await owner.patch(path, { name: "Again" }, { headers: { "If-Match": etag } }).expect(412, "precondition_failed");
  await owner.put(`${path}/graph`, { nodes: [], edges: [] }, { headers: { "If-Match": etag } }).expect(412);
  await owner.delete(path, undefined, { headers: { "If-Match": etag } }).expect(412);
  const now = (await owner.get(path).expect(200)).headers.get("etag")!;
  await owner.put(`${path}/graph`, { nodes: [], edges: [] }, { headers: { "If-Match": now } }).expect(200);
});
