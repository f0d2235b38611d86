import { expect, test } from "vitest";
import { addRule, runsOf, stateOf } from "../automation/rules-by-sql.ts";
import { agentIn } from "../support/agents.ts";
import { drain } from "../support/jobs.ts";
import { connect, servePublicly } from "../support/oauth.ts";
import { world } from "../support/world.ts";

/** A paused agent can read and nothing else, until it is resumed. */

await servePublicly();

test("a paused agent reads, and every change is refused, until it is resumed", async () => {
  const here = await world();
  const bot = await agentIn(here, { scopes: ["read", "write"] });
  const issue = (await bot.client.post("P/issues", { title: "One" }).expect(201)).data;
  const session = (await bot.client.post("W/agent-sessions", { title: "x", issue_key: issue.key }).expect(201)).data;
  await here.owner.patch(bot.path, { paused: true }).expect(200);

  await bot.client.get(`P/issues/${issue.key}`).expect(200);
  await bot.client.get("W/agents/me").expect(200);
  const refused = [
    bot.client.post("P/issues", { title: "Two" }),
    bot.client.patch(`P/issues/${issue.key}`, { title: "Two" }),
    bot.client.delete(`P/issues/${issue.key}`),
    bot.client.post(`P/issues/${issue.key}/comments`, { body_md: "Hello" }),
    bot.client.post("P/issues/bulk", { items: [{ title: "Two" }] }),
    bot.client.post("W/agent-sessions", { title: "y" }),
    bot.client.patch(`W/agent-sessions/${session.id}`, {}),
    bot.client.post("W/docs", { title: "Doc" }),
  ];
  for (const reply of await Promise.all(refused))
    expect([reply.status, reply.body.code]).toEqual([403, "agent_paused"]);
  // Its owner still works on the same things.
  await here.owner.patch(`P/issues/${issue.key}`, { title: "Three" }).expect(200);
  await here.owner.patch(bot.path, { paused: false }).expect(200);
  await bot.client.patch(`P/issues/${issue.key}`, { title: "Four" }).expect(200);
});

test("an agent that connected by OAuth is paused alike, and its stored replies are not replayed", async () => {
  const here = await world();
  const { agent_id, access_token } = await connect(here, here.owner.userId);
  const url = here.owner.url("P/issues");
  const create = () =>
    fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${access_token}`,
        "content-type": "application/json",
        "idempotency-key": "the-same",
      },
      body: JSON.stringify({ title: "One" }),
    });
  expect((await create()).status).toBe(201);
  await here.owner.patch(`W/agents/${agent_id}`, { paused: true }).expect(200);
  expect((await create()).status).toBe(403);
  await here.owner.patch(`W/agents/${agent_id}`, { paused: false }).expect(200);
  expect((await create()).status).toBe(201);
  expect((await here.owner.get("P/issues").expect(200)).data).toHaveLength(1);
});

test("no write begins after the pause was answered", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const numbers: number[] = [];
  let paused = false;
  const writer = async () => {
    while (numbers.length < 500) {
      const wasPaused = paused;
      const reply = await bot.client.post("P/issues", { title: "One" });
      if (wasPaused) expect(reply.body.code).toBe("agent_paused");
      if (reply.status !== 201) return;
      numbers.push(reply.data.number);
    }
    throw new Error("The writer was not stopped.");
  };
  const writers = [writer(), writer(), writer()];
  while (numbers.length < 20) await new Promise((resolve) => setTimeout(resolve, 5));
  await here.owner.patch(bot.path, { paused: true }).expect(200);
  paused = true;
  await Promise.all(writers);
  // What was answered with 201 is stored, and nothing else.
  const stored = (await here.owner.get("P/issues?limit=100").expect(200)).data;
  expect(stored).toHaveLength(numbers.length);
});

const COMMENT = { type: "add_comment", comment: "Seen", target: "self" };

test("automations of a paused agent do nothing and are disabled", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const rule = await addRule(here, { trigger: "issue.created", actions: [COMMENT], created_by: bot.id });
  const issue = async () => (await here.owner.post("P/issues", { title: "One" }).expect(201)).data;
  await issue();
  await drain();
  expect(await runsOf(here, rule)).toMatchObject([{ status: "ok" }]);
  await here.owner.patch(bot.path, { paused: true }).expect(200);
  const { key } = await issue();
  await drain();
  expect((await here.owner.get(`P/issues/${key}`).expect(200)).data.counts.comments).toBe(0);
  expect((await runsOf(here, rule)).at(-1)).toMatchObject({ status: "error", reason: "rights" });
  expect(await stateOf(here, rule)).toMatchObject({ enabled: false, disabled_reason: "rights" });
});

test("a paused agent cannot be woken, and the run says why", async () => {
  const here = await world();
  const bot = await agentIn(here);
  const wake = { type: "notify_agent", agent_user_id: bot.id, prompt: "Look" };
  const rule = await addRule(here, { trigger: "issue.created", actions: [wake] });
  const lastRun = async () => {
    await here.owner.post("P/issues", { title: "One" }).expect(201);
    await drain();
    return (await runsOf(here, rule)).at(-1)!;
  };
  expect((await lastRun()).status).toBe("ok");
  await here.owner.patch(bot.path, { paused: true }).expect(200);
  const run = await lastRun();
  expect(run.status).toBe("error");
  expect(JSON.stringify(run)).toContain("The agent is paused");
  expect(await here.sql("select 1 from agent_wake where agent_id = $1", [bot.id])).toHaveLength(1);
});
