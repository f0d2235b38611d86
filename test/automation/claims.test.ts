import { expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { type World, world } from "../support/world.ts";

/** Claims: at most one open session of an issue has one. */

async function agentIn(here: World, name = "Bot") {
  const body = { name, agent_name: name, scopes: ["write"] };
  const id = (await here.owner.post("W/api-keys", body).expect(201)).data.agent_id as string;
  const member = Object.assign(await here.as({ role: "member" }), { userId: id });
  return { id, client: await here.keyFor(member, { scopes: ["write"] }) };
}
const issueIn = async (here: World) => (await here.owner.post("P/issues", { title: "One" }).expect(201)).data;
const startOn = (client: Client, issue: { key: string }, more = {}) =>
  client.post("W/agent-sessions", { title: "x", issue_key: issue.key, ...more });

test("one session claims an issue, others run beside it and see the holder", async () => {
  const here = await world();
  const [one, two, issue] = [await agentIn(here, "One"), await agentIn(here, "Two"), await issueIn(here)];
  const beside = (await startOn(two.client, issue).expect(201)).data;
  expect(beside).toMatchObject({ claim: false, claimed_by: null });
  const held = (await startOn(one.client, issue, { claim: true }).expect(201)).data;
  expect(held).toMatchObject({ claim: true, claimed_by: one.id, other_open_session_ids: [beside.id] });
  expect((await two.client.get(`W/agent-sessions/${beside.id}`).expect(200)).data.claimed_by).toBe(one.id);

  const refused = await startOn(two.client, issue, { claim: true }).expect(409, "issue_claimed");
  expect(refused.body.error.details.holder).toEqual({ session_id: held.id, agent_id: one.id, agent_name: "One" });
  await one.client.patch(`W/agent-sessions/${held.id}`, { state: "done" }).expect(200);
  const again = await startOn(two.client, issue, { claim: true }).expect(201);
  expect(again.data).toMatchObject({ id: beside.id, existing: true, claim: true, claimed_by: two.id });
  expect((await startOn(two.client, issue).expect(201)).data).toMatchObject({ id: beside.id, claim: true });
});

test("a claimed session cannot be reopened while another one holds the claim", async () => {
  const here = await world();
  const [one, two, issue] = [await agentIn(here), await agentIn(here), await issueIn(here)];
  const first = (await startOn(one.client, issue, { claim: true }).expect(201)).data;
  const state = (value: string) => one.client.patch(`W/agent-sessions/${first.id}`, { state: value });
  await state("done").expect(200);
  const second = (await startOn(two.client, issue, { claim: true }).expect(201)).data;
  const refused = await state("running").expect(409, "issue_claimed");
  expect(refused.body.error.details.holder).toMatchObject({ session_id: second.id, agent_id: two.id });
  await two.client.patch(`W/agent-sessions/${second.id}`, { state: "failed" }).expect(200);
  expect((await state("running").expect(200)).data).toMatchObject({ claim: true, claimed_by: one.id });
});

test("of many who claim an issue at once, one gets it", async () => {
  const here = await world();
  const issue = await issueIn(here);
  const agents = [];
  for (let n = 0; n < 8; n++) agents.push(await agentIn(here));
  const replies = await Promise.all(
    agents.map(async ({ client }) => {
      const reply = await client.call("POST", "W/agent-sessions", { title: "x", issue_key: issue.key, claim: true });
      return [reply.status, reply.body.code];
    }),
  );
  expect(replies.filter(([status]) => status === 201)).toHaveLength(1);
  expect(replies.filter(([, code]) => code === "issue_claimed")).toHaveLength(7);
});

test("only an issue can be claimed", async () => {
  const here = await world();
  const { client } = await agentIn(here);
  await client.post("W/agent-sessions", { title: "x", claim: true }).expect(400, "validation_failed");
  expect((await client.post("W/agent-sessions", { title: "x", claim: false }).expect(201)).data.claimed_by).toBe(null);
});

test("a session without an issue may belong to a project", async () => {
  const here = await world();
  const [bot, hidden] = [await agentIn(here), await here.hidden()];
  const { data } = await bot.client.post("W/agent-sessions", { title: "x", project: "WEB" }).expect(201);
  const limited = await here.as({ role: "member", projectIds: [here.project.id] });
  expect((await limited.get(`W/agent-sessions/${data.id}`).expect(200)).data.issue_id).toBe(null);
  const elsewhere = await here.as({ role: "member", projectIds: [hidden.project.id] });
  await elsewhere.get(`W/agent-sessions/${data.id}`).expect(404);
  await limited.post("W/agent-sessions", { title: "x" }).expect(403, "key_project_limit");
  const issue = await issueIn(here);
  await limited.post("W/agent-sessions", { title: "x", issue_key: issue.key }).expect(201);
  const wrong = { title: "x", issue_key: issue.key, project: hidden.project.key };
  await here.owner.post("W/agent-sessions", wrong).expect(400, "invalid_reference");
});
