import { expect, test } from "vitest";
import type { Plan } from "../../src/domain/kernel/plans.ts";
import { setPlan } from "../../src/domain/tenancy/workspaces/plan.ts";
import { systemNow, transact } from "../support/acting.ts";
import { configure } from "../support/app.ts";
import { drain } from "../support/jobs.ts";

import { type World, world } from "../support/world.ts";

/** What plans allow: automations, enabled workflows, and how many runs are counted. */

const LIMITS = { automations: 3, enabled_workflows: 2 };
configure({ PLAN_CAPS: JSON.stringify({ pro: LIMITS }) });

const rule = { name: "Rule", trigger: "issue.created", actions: [{ type: "set_priority", priority: "high" }] };
const add = async ({ owner }: World, more: Record<string, unknown> = {}) =>
  (await owner.post("W/automations", { ...rule, ...more }).expect(201)).data;

const graph = {
  nodes: [
    { id: "start", kind: "start" },
    { id: "end", kind: "end" },
  ],
  edges: [{ id: "e", source_node_id: "start", target_node_id: "end" }],
};
async function addWorkflow({ owner }: World, name: string) {
  const { data } = await owner.post("W/workflows", { name, ...graph }).expect(201);
  return (await owner.patch(`W/workflows/${data.id}`, { enabled: true }).expect(200)).data;
}

/** Changes the plan as an operator does, and waits for the workers. */
async function change({ workspace, app }: World, plan: Plan) {
  await transact(app, systemNow(app), workspace.id, (ctx) => setPlan(ctx, workspace.id, plan));
  await drain();
}

const states = async ({ owner }: World, path = "W/automations") =>
  (await owner.get(path).expect(200)).data.map((one: Record<string, unknown>) => [
    one.name,
    one.enabled ?? one.status === "enabled",
    one.disabled_reason,
  ]);
const eventsOf = async ({ sql, workspace }: World, like: string) =>
  (
    await sql<{ type: string; name: string; actor_kind: string }>(
      `select type, data ->> 'name' as name, actor_kind from event where workspace_id = $1 and type like $2 order by id`,
      [workspace.id, like],
    )
  ).map(({ type, name, actor_kind }) => [type, name, actor_kind]);

test("a plan without automations refuses them, but shows and deletes what is there", async () => {
  const here = await world({ plan: "pro" });
  const { id } = await add(here);
  await change(here, "free");
  const { owner } = here;
  await owner.post("W/automations", rule).expect(403, "plan_required");
  await owner.get(`W/automations/${id}`).expect(200);
  await owner.get(`W/automations/${id}/runs`).expect(200);
  await owner.patch(`W/automations/${id}`, { enabled: true }).expect(403, "plan_required");
  await owner.patch(`W/automations/${id}`, { name: "Later" }).expect(200);
  await owner.delete(`W/automations/${id}`).expect(200);
});

test("the plan's number of automations holds, also for calls at the same time", async () => {
  const here = await world({ plan: "pro" });
  const { owner } = here;
  const replies = await Promise.all(Array.from({ length: 6 }, () => owner.post("W/automations", rule)));
  const statuses = replies.map(({ status }) => status).sort();
  expect(statuses).toEqual([201, 201, 201, 403, 403, 403]);
  const refused = replies.find(({ status }) => status === 403)!;
  expect(refused.body).toMatchObject({
    code: "plan_limit_reached",
    error: { details: { plan: "pro", limit: 3, used: 3, required_plan: "business" } },
  });
  // Disabled ones count too.
  const [first] = (await owner.get("W/automations").expect(200)).data;
  await owner.patch(`W/automations/${first.id}`, { enabled: false }).expect(200);
  await owner.post("W/automations", rule).expect(403, "plan_limit_reached");
  await owner.patch(`W/automations/${first.id}`, { enabled: true }).expect(200);
});

test("a smaller plan stops the newest automations, and a larger one starts just these again", async () => {
  const here = await world();
  for (const name of ["A", "B", "C", "D", "E"]) await add(here, { name });
  const off = await add(here, { name: "F", enabled: false });
  const schedule = { trigger: "schedule", trigger_config: { cron: "0 9 * * *", timezone: "UTC" } };
  const { id } = await add(here, { name: "G", ...schedule });
  await change(here, "pro");
  expect(await states(here)).toEqual([
    ["G", false, "plan"],
    ["F", false, "user"],
    ["E", false, "plan"],
    ["D", false, "plan"],
    ["C", true, null],
    ["B", true, null],
    ["A", true, null],
  ]);
  expect(await eventsOf(here, "automation.disabled")).toEqual(
    ["G", "E", "D"].map((name) => ["automation.disabled", name, "system"]),
  );

  // There is no room until one of the others stops.
  await here.owner.patch(`W/automations/${id}`, { enabled: true }).expect(403, "plan_limit_reached");
  const [, , third] = (await here.owner.get("W/automations").expect(200)).data;
  expect(third.name).toBe("E");
  const { data: kept } = await here.owner.patch(`W/automations/${third.id}`, { enabled: false }).expect(200);
  expect(kept.disabled_reason).toBe("user");

  await here.sql(`update automation set due_at = '2020-01-01' where id = $1`, [id]);
  await change(here, "business");
  expect(await states(here)).toEqual([
    ["G", true, null],
    ["F", false, "user"],
    ["E", false, "user"],
    ["D", true, null],
    ["C", true, null],
    ["B", true, null],
    ["A", true, null],
  ]);
  const { data: scheduled } = await here.owner.get(`W/automations/${id}`).expect(200);
  const [row] = await here.sql(`select due_at from automation where id = $1`, [id]);
  expect(row!.due_at).toBe(scheduled.next_run_at);
  expect((await here.owner.get(`W/automations/${off.id}`).expect(200)).data).toEqual(off);
  expect((await eventsOf(here, "automation.updated")).map(([, name]) => name)).toEqual(["E", "D", "G"]);
});

test("a smaller plan stops the newest workflows, and a larger one starts just these again", async () => {
  const here = await world();
  for (const name of ["A", "B", "C", "D"]) await addWorkflow(here, name);
  await here.owner.post("W/workflows", { name: "E", ...graph }).expect(201);
  await change(here, "pro");
  expect(await states(here, "W/workflows")).toEqual([
    ["E", false, null],
    ["D", false, "plan"],
    ["C", false, "plan"],
    ["B", true, null],
    ["A", true, null],
  ]);
  await change(here, "business");
  expect(await states(here, "W/workflows")).toEqual([
    ["E", false, null],
    ["D", true, null],
    ["C", true, null],
    ["B", true, null],
    ["A", true, null],
  ]);
  expect((await eventsOf(here, "workflow.disabled")).map(([, name]) => name)).toEqual(["D", "C"]);
});

test("a larger plan does not start a workflow whose graph has become incomplete", async () => {
  const here = await world();
  for (const name of ["A", "B", "C"]) await addWorkflow(here, name);
  await change(here, "pro");
  const [{ id }] = (await here.owner.get("W/workflows").expect(200)).data;
  const condition = { id: "if", kind: "condition", config: { match: "all", rules: [] } };
  const edge = { id: "e2", source_node_id: "start", target_node_id: "if" };
  const incomplete = { nodes: [...graph.nodes, condition], edges: [...graph.edges, edge] };
  await here.owner.put(`W/workflows/${id}/graph`, incomplete).expect(200);
  await change(here, "business");
  expect((await states(here, "W/workflows"))[0]).toEqual(["C", false, "plan"]);
});

test("hundreds of automations above the limit stop", async () => {
  const here = await world();
  await here.sql(
    `insert into automation (id, workspace_id, name, trigger, trigger_config, actions, allow_chaining, on_error, enabled,
                             created_by, created_at, updated_at)
     select uuidv7(), $1, 'Rule', 'issue.created', '{}', '[{"type":"unassign","target":"self"}]', false, 'stop', true, $2,
            now() - n * interval '1 s', now()
     from generate_series(1, 250) n`,
    [here.workspace.id, here.owner.userId],
  );
  await change(here, "pro");
  const [counts] = await here.sql(
    `select count(*) filter (where enabled) as enabled, count(*) filter (where disabled_reason = 'plan') as stopped
     from automation where workspace_id = $1`,
    [here.workspace.id],
  );
  expect(counts).toEqual({ enabled: 3, stopped: 247 });
});

test("usage shows automations, enabled workflows and the runs of this month", async () => {
  const here = await world({ plan: "pro" });
  const rules = [await add(here), await add(here, { enabled: false }), await add(here)];
  await here.owner.delete(`W/automations/${rules[2].id}`).expect(200);
  await addWorkflow(here, "A");
  await here.owner.post("W/workflows", { name: "B", ...graph }).expect(201);
  await here.sql(
    `insert into automation_month (workspace_id, month, runs)
     select $1, date_trunc('month', now() at time zone 'UTC')::date - n * interval '1 month', 40 + n from generate_series(0, 1) n`,
    [here.workspace.id],
  );
  const { caps } = (await here.owner.get("W/usage").expect(200)).data;
  expect(caps).toMatchObject({
    automations: { used: 2, limit: 3 },
    enabled_workflows: { used: 1, limit: 2 },
    automation_runs: { used: 40, limit: 10_000 },
  });
});
