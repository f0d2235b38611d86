import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { END, edge, START } from "./graphs.ts";

type Node = { id: string; kind: string } & Record<string, unknown>;
/** A graph of nodes one after the other. */
function chain(...between: Node[]) {
  const nodes = [START, ...between, END];
  return { nodes, edges: nodes.slice(1).map((node, n) => edge(nodes[n]!.id, node.id)) };
}
const SIMPLE = chain();

const workflow = async (client: Client, body: Record<string, unknown> = SIMPLE) =>
  (await client.post("W/workflows", { name: "Review", ...body }).expect(201)).data;
const enable = (client: Client, id: string) => client.patch(`W/workflows/${id}`, { status: "enabled" });
const agentIn = async ({ owner }: World, name: string) =>
  (await owner.post("W/api-keys", { name, kind: "agent", agent_name: name }).expect(201)).data as {
    id: string;
    agent_id: string;
  };

/** The paths and messages of everything that keeps a graph from being enabled. */
async function problems(client: Client, graph: Record<string, unknown>) {
  const { id, valid, problems } = await workflow(client, graph);
  const reply = await enable(client, id);
  if (reply.status === 200) {
    expect([valid, problems]).toEqual([true, []]);
    return [];
  }
  expect(reply.body.code, reply.text).toBe("graph_invalid");
  const { errors } = reply.body.error.details;
  expect([valid, problems]).toEqual([false, errors]);
  return errors.map(({ code, path, node_id, message }: Record<string, string>) => {
    expect(message).toMatch(/\.$/);
    return `${code} ${node_id ?? ""} ${path}`;
  });
}

test("a draft whose paths are not sound is saved, but not enabled", async () => {
  const { owner } = await world();
  expect(await problems(owner, { nodes: [], edges: [] })).toEqual(["no_start  /nodes"]);
  const condition = { id: "c", kind: "condition" };
  const nodes = [START, condition, { id: "far", kind: "person" }, END];
  expect(await problems(owner, { nodes, edges: [edge("start", "c"), edge("c", "end", "true")] })).toEqual([
    "unreachable far /nodes/2",
    "missing_branch c /nodes/1",
  ]);
});

test("settings that cannot work keep a workflow from being enabled, all named at once", async () => {
  const here = await world();
  const { owner } = here;
  const { agent_id: agent } = await agentIn(here, "Robot");
  const stranger = (await here.other()).owner.userId;
  const id = "0198c2a4-0e10-7c11-8a01-5f1d2b6c7a99";
  expect(
    await problems(
      owner,
      chain(
        { id: "a1", kind: "agent", assignee_user_id: owner.userId },
        { id: "a2", kind: "agent", assignee_user_id: id },
        { id: "p1", kind: "person", assignee_user_id: agent },
        { id: "p2", kind: "person", assignee_user_id: stranger },
        { id: "v1", kind: "approval" },
        { id: "v2", kind: "approval", config: { approver_ids: [owner.userId, id, owner.userId], required: 2 } },
        { id: "v3", kind: "approval", config: { approver_role: "owner", required: 2 } },
        { id: "v4", kind: "approval", config: { approver_role: "owner", approver_ids: [owner.userId] } },
        { id: "w1", kind: "wait" },
        { id: "w2", kind: "wait", config: { minutes: 1, until_field: "due_at" } },
        { id: "w4", kind: "wait", config: { event: { type: "moon.full" } } },
        { id: "x1", kind: "action" },
        { id: "x2", kind: "action", config: { actions: [{ type: "add_label", label_id: id }] } },
      ),
    ),
  ).toEqual([
    "bad_config a1 /nodes/1/assignee_user_id",
    "bad_config a2 /nodes/2/assignee_user_id",
    "bad_config p1 /nodes/3/assignee_user_id",
    "bad_config p2 /nodes/4/assignee_user_id",
    "bad_config v1 /nodes/5/config/approver_ids",
    "bad_config v2 /nodes/6/config/approver_ids/1",
    "bad_config v2 /nodes/6/config/required",
    "bad_config v3 /nodes/7/config/required",
    "bad_config v4 /nodes/8/config/approver_role",
    "bad_config w1 /nodes/9/config",
    "bad_config w2 /nodes/10/config",
    "bad_config w4 /nodes/11/config/event/type",
    "bad_config x1 /nodes/12/config/actions",
    "bad_config x2 /nodes/13/config/actions/0/label_id",
  ]);
});

test("conditions name people by e-mail, and keep their ids", async () => {
  const { owner } = await world();
  const asks = (value: string) => ({ match: "all", rules: [{ field: "assignee", op: "is", value }] });
  const graph = (value: string) => ({
    nodes: [START, { id: "c", kind: "condition", config: asks(value) }, END, { id: "no", kind: "end" }],
    edges: [edge("start", "c"), edge("c", "end", "true"), edge("c", "no", "false")],
  });
  expect(await problems(owner, graph("nobody@nowhere.test"))).toEqual(["bad_config c /nodes/1/config/rules/0/value"]);
  const { id } = await workflow(owner);
  const { data } = await owner.put(`W/workflows/${id}/graph`, graph("me")).expect(200);
  expect(data).toMatchObject({ valid: true, nodes: [{}, { config: asks(owner.userId) }, {}, {}] });
});

test("a workflow with every kind of node is enabled", async () => {
  const here = await world();
  const { owner } = here;
  const { agent_id: agent } = await agentIn(here, "Robot");
  const member = await here.as({ role: "member" });
  expect(
    await problems(
      owner,
      chain(
        { id: "a1", kind: "agent", assignee_user_id: agent },
        { id: "a2", kind: "agent" },
        { id: "p1", kind: "person", assignee_user_id: member.userId },
        { id: "p2", kind: "person", config: { role: "member" } },
        { id: "v1", kind: "approval", config: { approver_ids: [owner.userId, agent], required: 2 } },
        { id: "v2", kind: "approval", config: { approver_role: "owner" } },
        { id: "w1", kind: "wait", config: { minutes: 5 } },
        { id: "w2", kind: "wait", config: { until_field: "start_at" } },
        { id: "w3", kind: "wait", config: { event: { type: "issue.updated" } } },
        { id: "x1", kind: "action", config: { actions: [{ type: "set_priority", priority: "high" }] } },
        { id: "f", kind: "parallel" },
      ),
    ),
  ).toEqual([]);
});

test("whoever works on a stage has to see the project", async () => {
  const here = await world();
  const hidden = await here.hidden();
  const member = await here.as({ role: "member" });
  const graph = chain({ id: "p", kind: "person", assignee_user_id: member.userId });
  const path = "bad_config p /nodes/1/assignee_user_id";
  expect(await problems(here.owner, { ...graph, project_id: hidden.project.key })).toEqual([path]);
  expect(await problems(here.owner, { ...graph, project_id: here.project.key })).toEqual([]);
  // An enabled workflow is checked again when it moves to another project.
  const { id } = await workflow(here.owner, graph);
  await enable(here.owner, id).expect(200);
  await here.owner.patch(`W/workflows/${id}`, { project_id: hidden.project.id }).expect(400, "graph_invalid");
  const { data } = await here.owner.patch(`W/workflows/${id}`, { project_id: here.project.key }).expect(200);
  expect(data).toMatchObject({ status: "enabled", project_id: here.project.id });
});

test("somebody who left, and a revoked agent, are found when the workflow is enabled", async () => {
  const here = await world();
  const { owner } = here;
  const member = await here.as({ role: "member" });
  const agent = await agentIn(here, "Robot");
  const { id, valid } = await workflow(
    owner,
    chain(
      { id: "p", kind: "person", assignee_user_id: member.userId },
      { id: "a", kind: "agent", assignee_user_id: agent.agent_id },
    ),
  );
  expect(valid).toBe(true);
  await owner.delete(`W/members/${member.userId}`).expect(200);
  await owner.delete(`W/api-keys/${agent.id}`).expect(200);
  const { body } = await enable(owner, id).expect(400, "graph_invalid");
  expect(body.error.details.errors.map(({ path }: { path: string }) => path)).toEqual([
    "/nodes/1/assignee_user_id",
    "/nodes/2/assignee_user_id",
  ]);
});

test("if the creator is no admin any more, whoever enables the workflow takes their place", async () => {
  const here = await world();
  const admin = await here.as({ role: "admin" });
  const { id } = await workflow(admin);
  expect((await enable(here.owner, id).expect(200)).data.created_by).toBe(admin.userId);
  await here.owner.patch(`W/members/${admin.userId}`, { role: "member" }).expect(200);
  await here.owner.patch(`W/workflows/${id}`, { status: "draft" }).expect(200);
  expect((await enable(here.owner, id).expect(200)).data.created_by).toBe(here.owner.userId);
});

test("the graph of an enabled workflow stays one that can be enabled", async () => {
  const { owner } = await world();
  const { id } = await workflow(owner);
  await enable(owner, id).expect(200);
  const path = `W/workflows/${id}`;
  const { body } = await owner
    .put(`${path}/graph`, { nodes: [START, { id: "w", kind: "wait" }, END], edges: [edge("start", "end")] })
    .expect(400, "graph_invalid");
  expect(body.error.details.errors.map(({ code }: { code: string }) => code)).toEqual(["unreachable", "bad_config"]);
  expect((await owner.get(path).expect(200)).data).toMatchObject({ version: 1, status: "enabled", valid: true });
  await owner.put(`${path}/graph`, chain({ id: "w", kind: "wait", config: { minutes: 1 } })).expect(200);
});

test("the plan limits enabled workflows, also for those who enable at the same time", async () => {
  const { owner } = await world({ plan: "free" });
  const drafts = await Promise.all([1, 2, 3, 4].map(() => workflow(owner)));
  const replies = await Promise.all(drafts.map(({ id }) => enable(owner, id)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
  const refused = replies.find(({ status }) => status === 403)!;
  expect(refused.body).toMatchObject({
    code: "plan_limit_reached",
    error: { details: { plan: "free", limit: 1, used: 1, required_plan: "pro" } },
  });
  // An invalid workflow is refused for its problems first.
  const { id } = await workflow(owner, { nodes: [], edges: [] });
  await enable(owner, id).expect(400, "graph_invalid");
  const enabled = drafts[replies.findIndex(({ status }) => status === 200)]!;
  await owner.patch(`W/workflows/${enabled.id}`, { status: "draft" }).expect(200);
  await enable(owner, drafts[0]!.id).expect(200);
});

test("the example in docs/workflows.md can be enabled, and an issue goes through it", async () => {
  const { owner } = await world();
  const guide = readFileSync(new URL("../../docs/workflows.md", import.meta.url), "utf8");
  const graph = JSON.parse(/```json\n(.*?)```/s.exec(guide)![1]!);
  const { id } = (await owner.post("W/workflows", { name: "Review and release" }).expect(201)).data;
  await owner.put(`W/workflows/${id}/graph`, graph).expect(200);
  await enable(owner, id).expect(200);
  const issue = (await owner.post("P/issues", { title: "Urgent", priority: "critical" }).expect(201)).data;
  const { run_id } = (await owner.post(`P/issues/${issue.key}/workflow`, { workflow_id: id }).expect(201)).data;
  await owner.post(`W/workflow-runs/${run_id}/complete-stage`, { node_id: "review" }).expect(200);
  await drain();
  expect((await owner.get(`W/workflow-runs/${run_id}`).expect(200)).data.status).toBe("completed");
  const { status } = (await owner.get(`P/issues/${issue.key}`).expect(200)).data;
  const { data: comments } = await owner.get(`P/issues/${issue.key}/comments`).expect(200);
  expect([status, comments[0].body_md]).toEqual(["done", `${issue.key} is released.`]);
});
