import { expect, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";

import { workflow } from "./flows.ts";

/** Sessions in which agents work: who starts and changes them, their states, and what others see of them. */

async function agentIn(here: World) {
  const body = { name: "Bot", agent_name: "Bot", scopes: ["write"] };
  const id = (await here.owner.post("W/api-keys", body).expect(201)).data.agent_id as string;
  return {
    id,
    client: await here.keyFor(Object.assign(await here.as({ role: "member" }), { userId: id }), { scopes: ["write"] }),
  };
}
const issueIn = async (here: World) => (await here.owner.post("P/issues", { title: "One" }).expect(201)).data;
const eventsOf = (here: World) =>
  here
    .sql<{ type: string }>(
      `select type from event where workspace_id = $1 and type like 'agent_session.%' order by id`,
      [here.workspace.id],
    )
    .then((rows) => rows.map(({ type }) => type.slice("agent_session.".length)));

test("an agent starts a session on an issue, which names it until the session ends", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const issue = await issueIn(here);
  const { data } = await bot.client.post("W/agent-sessions", { title: "Fix it", issue_key: issue.key }).expect(201);
  expect(data).toMatchObject({
    agent_id: bot.id,
    agent_name: "Bot",
    state: "running",
    issue_key: issue.key,
    existing: false,
    stalled: false,
    unverified: false,
    ended_at: null,
    started_by: bot.id,
    cost_usd: null,
    plan: [],
  });
  const active = async () => (await here.owner.get(`P/issues/${issue.key}`).expect(200)).data.active_session_ids;
  expect(await active()).toEqual([data.id]);
  const done = (await bot.client.patch(`W/agent-sessions/${data.id}`, { state: "done" }).expect(200)).data;
  expect(done).toMatchObject({ state: "done", ended_at: expect.any(String), unverified: true });
  expect(await active()).toEqual([]);
  expect(await eventsOf(here)).toEqual(["created", "state_changed"]);
});

test("the same agent gets its open session on the issue again, with what it sent", async () => {
  const here = await world();
  const [bot, other, issue] = [await agentIn(here), await agentIn(here), await issueIn(here)];
  const body = { title: "Fix it", issue_key: issue.key };
  const first = (await bot.client.post("W/agent-sessions", body).expect(201)).data;
  const again = (await bot.client.post("W/agent-sessions", { ...body, title: "Again", note: "On it" }).expect(201))
    .data;
  expect(again).toMatchObject({ id: first.id, existing: true, title: "Again", note: "On it" });
  const second = (await other.client.post("W/agent-sessions", body).expect(201)).data;
  expect(second).toMatchObject({ existing: false, other_open_session_ids: [first.id] });
  const both = await Promise.all([1, 2, 3].map(() => bot.client.post("W/agent-sessions", body).expect(201)));
  expect(new Set(both.map((reply) => reply.data.id))).toEqual(new Set([first.id]));
});

test("a heartbeat is no event; every field may be reported", async () => {
  const here = await world();
  const [bot, issue] = [await agentIn(here), await issueIn(here)];
  const path = `W/agent-sessions/${(await bot.client.post("W/agent-sessions", { title: "x", issue_key: issue.key }).expect(201)).data.id}`;
  await here.sql(`update agent_session set last_activity_at = now() - interval '31 minutes'`);
  expect((await bot.client.get(path).expect(200)).data.stalled).toBe(true);
  expect((await bot.client.patch(path, {}).expect(200)).data.stalled).toBe(false);
  expect(await eventsOf(here)).toEqual(["created"]);
  const fields = {
    title: "y",
    note: "n",
    external_url: "https://git.example/pull/1",
    branch: "b",
    summary: "s",
    error: "e",
    plan: [{ text: "one", status: "completed" }],
  };
  expect((await bot.client.patch(path, { ...fields, progress_note: undefined }).expect(200)).data).toMatchObject(
    fields,
  );
  const asked = { state: "needs_input", question: { text: "Which?", options: ["a", "b"] } };
  expect((await bot.client.patch(path, asked).expect(200)).data).toMatchObject({
    ...asked,
    needs_input_at: expect.any(String),
  });
  expect((await bot.client.patch(path, { state: "running" }).expect(200)).data).toMatchObject({ question: null });
  expect((await bot.client.patch(path, { question: asked.question }).expect(400)).body.code).toBe("validation_failed");
  expect((await bot.client.patch(path, { external_url: "javascript:alert(1)" }).expect(400)).body.code).toBe(
    "validation_failed",
  );
  expect(
    (await bot.client.patch(path, { state: "review", pr_url: "https://git.example/pull/2" }).expect(200)).data,
  ).toMatchObject({
    external_url: "https://git.example/pull/2",
    unverified: false,
    review_at: expect.any(String),
  });
  expect(await eventsOf(here)).toEqual(["created", "updated", "state_changed", "state_changed", "state_changed"]);
});

test("done and failed may be left again, cancelled may not", async () => {
  const here = await world();
  const [bot, issue] = [await agentIn(here), await issueIn(here)];
  const start = async () =>
    (await bot.client.post("W/agent-sessions", { title: "x", issue_key: issue.key }).expect(201)).data.id;
  const move = (id: string, state: string) => bot.client.patch(`W/agent-sessions/${id}`, { state });
  const first = await start();
  for (const state of ["needs_input", "review", "running", "failed", "done"]) await move(first, state).expect(200);
  expect((await move(first, "running").expect(200)).data).toMatchObject({ ended_at: null, reopened: 1 });
  await move(first, "done").expect(200);
  const second = await start();
  expect((await move(first, "running").expect(409, "already_exists")).body.error.details.existing_id).toBe(second);
  await move(second, "canceled").expect(200);
  await move(second, "running").expect(409, "session_cancelled");
  await move(second, "cancelled").expect(200);
  expect((await bot.client.patch(`W/agent-sessions/${second}`, { note: "Stopped" }).expect(200)).data.note).toBe(
    "Stopped",
  );
});

test("an agent changes its own sessions only; people act for agents that they own, and may cancel others", async () => {
  const here = await world();
  const [bot, other, issue] = [await agentIn(here), await agentIn(here), await issueIn(here)];
  const member = await here.as({ role: "member" });
  const body = { title: "x", issue_key: issue.key };
  const { id } = (await bot.client.post("W/agent-sessions", body).expect(201)).data;
  const path = `W/agent-sessions/${id}`;
  await other.client.patch(path, { note: "mine" }).expect(403, "not_owner_of_resource");
  await other.client.post("W/agent-sessions", { ...body, agent_id: bot.id }).expect(403, "not_owner_of_resource");
  await member.post("W/agent-sessions", { ...body, agent_id: bot.id }).expect(403, "not_owner_of_resource");
  await member.post("W/agent-sessions", { ...body, agent_id: newId() }).expect(400, "invalid_reference");
  await member.patch(path, { title: "Mine" }).expect(403, "not_owner_of_resource");
  await member.patch(path, { state: "done" }).expect(403, "not_owner_of_resource");
  await member.patch(path, { note: "Please stop" }).expect(200);
  await here.owner.patch(path, { title: "By an admin", agent_id: bot.id }).expect(200);
  for (const agent_id of [other.id, "me"]) {
    await here.owner.patch(path, { agent_id }).expect(400, "invalid_reference");
  }
  await bot.client.patch(path, { agent_id: "me" }).expect(200);
  expect((await member.patch(path, { state: "cancelled" }).expect(200)).data.state).toBe("cancelled");

  const own = (await member.post("W/agent-sessions", { title: "My own" }).expect(201)).data;
  expect(own).toMatchObject({ agent_id: member.userId, issue_id: null });
  await here.sql(`update app_user set agent_owner_id = $2 where id = $1`, [other.id, member.userId]);
  await member.post("W/agent-sessions", { ...body, agent_id: other.id }).expect(201);
});

test("sessions are seen by those who see the issue, newest activity first, and filtered", async () => {
  const here = await world();
  const hidden = await here.hidden();
  const [bot, issue, secret] = [await agentIn(here), await issueIn(here), await issueIn(hidden)];
  const member = await here.as({ role: "member" });
  const guest = await here.as({ role: "guest", projectRole: "member" });
  const start = async (client: World["owner"], body: object) =>
    (await client.post("W/agent-sessions", { title: "x", ...body }).expect(201)).data.id;
  const a = await start(bot.client, { issue_key: issue.key });
  const b = await start(here.owner, { issue_key: secret.key });
  const c = await start(here.owner, {});
  await bot.client.patch(`W/agent-sessions/${a}`, { state: "review" }).expect(200);
  const list = async (client: World["owner"], query = "") =>
    (await client.get(`W/agent-sessions${query}`).expect(200)).data.map(({ id }: { id: string }) => id);
  expect(await list(here.owner)).toEqual([a, c, b]);
  expect(await list(member)).toEqual([a, c]);
  expect(await list(guest)).toEqual([a]);
  await member.get(`W/agent-sessions/${b}`).expect(404);
  await guest.get(`W/agent-sessions/${c}`).expect(404);
  expect(await list(here.owner, "?state=review,done")).toEqual([a]);
  expect(await list(here.owner, `?issue_key=${secret.key}`)).toEqual([b]);
  await member.get(`W/agent-sessions?issue_key=${secret.key}`).expect(400, "invalid_parameter");
  expect(await list(here.owner, `?agent_id=me`)).toEqual([c, b]);
  expect(await list(here.owner, `?agent_id=${bot.id},${newId()}`)).toEqual([a]);
  await here.owner.get("W/agent-sessions?state=asleep").expect(400, "invalid_parameter");
  expect(await list(here.owner, "?state=Review,%20RUNNING")).toEqual(await list(here.owner, "?state=review,running"));
  expect(await list(here.owner, "?state=needs-input")).toEqual(await list(here.owner, "?state=needs_input"));
  await here.owner.get("W/agent-sessions?agent_id=triage-bot").expect(400, "invalid_parameter");
  await bot.client.post("W/agent-sessions", { title: "x", issue_key: secret.key }).expect(400, "invalid_reference");
  await here.owner.delete(`P/issues/${issue.key}`).expect(200);
  await bot.client.post("W/agent-sessions", { title: "x", issue_key: issue.key }).expect(409, "archived");
  await bot.client.patch(`W/agent-sessions/${a}`, { state: "done" }).expect(200);
});

test("a stage of a workflow ends with the session of its agent", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const issue = await issueIn(here);
  const stages = [
    { id: "build", kind: "agent", assignee_user_id: bot.id },
    { id: "end", kind: "end" },
  ];
  const flow = await workflow(here, stages, [
    ["start", "build"],
    ["build", "end"],
  ]);
  const run = (await here.owner.post(`P/issues/${issue.key}/workflow`, { workflow_id: flow }).expect(201)).data.run_id;
  const { id } = (
    await bot.client.post("W/agent-sessions", { title: "x", issue_key: issue.key, workflow_run_id: run }).expect(201)
  ).data;
  await bot.client.patch(`W/agent-sessions/${id}`, { state: "done" }).expect(200);
  await drain();
  expect((await here.owner.get(`W/workflow-runs/${run}`).expect(200)).data.status).toBe("completed");
  const elsewhere = await issueIn(here);
  await bot.client
    .post("W/agent-sessions", { title: "x", issue_key: elsewhere.key, workflow_run_id: run })
    .expect(400, "invalid_reference");
});

test("the history of an issue shows its sessions and their states", async () => {
  const here = await world();
  const [bot, issue] = [await agentIn(here), await issueIn(here)];
  const { data } = await bot.client.post("W/agent-sessions", { title: "x", issue_key: issue.key }).expect(201);
  const path = `W/agent-sessions/${data.id}`;
  await bot.client.patch(path, { note: "Reading" }).expect(200);
  await bot.client.patch(path, { state: "review" }).expect(200);
  await bot.client.patch(path, { state: "done" }).expect(200);
  const lines = (await here.owner.get(`P/issues/${issue.key}/activity`).expect(200)).data;
  const of = { session_id: data.id, agent_id: bot.id };
  expect(lines).toMatchObject([
    { kind: "session_state_changed", payload: { ...of, from: "review", to: "done", reason: null } },
    { kind: "session_state_changed", payload: { ...of, from: "running", to: "review" } },
    { kind: "session_started", payload: of, actor_kind: "agent" },
    { kind: "created" },
  ]);
});
