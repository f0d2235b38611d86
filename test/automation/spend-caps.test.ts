import { describe, expect, test } from "vitest";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { apply } from "./acting.ts";
import { issue, nodeOf, type Run, start, statesOf, workflow } from "./flows.ts";
import { eventsOf, type Reporter, report, reporterIn, sumsOf } from "./reporting.ts";

/** Caps on what agents spend in a month: what is announced, who is told, and what a cap keeps from starting. */

const capped = async (here: World, cap: Record<string, unknown>) => {
  const bot = await reporterIn(here);
  await change(here, bot, cap);
  return bot;
};
const change = (here: World, { id }: Reporter, body: Record<string, unknown>) =>
  here.owner.patch(`W/agents/${id}`, body).expect(200);
const spent = async (here: World) => {
  const events = await eventsOf(here, "agent.spend_%");
  return events.map((type) => type.slice("agent.spend_".length));
};
const notices = async (client: World["owner"]) => {
  await drain();
  const { data } = await client.get("W/notifications").expect(200);
  return data
    .filter(({ kind }: { kind: string }) => kind === "spend_cap")
    .map(({ title, body }: { title: string; body: string }) => `${title}: ${body}`);
};

/** A workflow of one stage for the agent, whose outcomes lead to the ends `good` and `bad`. */
const stageOf = (here: World, agentId: string, config: Record<string, unknown> = {}) =>
  workflow(
    here,
    [
      { id: "stage", kind: "agent", assignee_user_id: agentId, config },
      { id: "good", kind: "end" },
      { id: "bad", kind: "end" },
    ],
    [
      ["start", "stage"],
      ["stage", "good"],
      ["stage", "bad", "failure"],
    ],
  );

test("the usage of a workspace has the month's cost of its agents, and their caps together", async () => {
  const here = await world();
  const usage = async () => (await here.owner.get("W/usage").expect(200)).data.agent_spend;
  expect(await usage()).toEqual({ period_usd: 0, cap_usd: null });
  const [one, other] = [await capped(here, { spend_cap_usd: 10 }), await capped(here, { spend_cap_usd: 2.5 })];
  await report(one.client, await one.start(), { cost_usd: 1.25 }).expect(200);
  await report(other.client, await other.start(), { cost_usd: 0.000001 }).expect(200);
  expect(await usage()).toEqual({ period_usd: 1.250001, cap_usd: 12.5 });
  await change(here, other, { spend_cap_usd: null });
  expect((await usage()).cap_usd).toBeNull();
  await here.sql("update agent set spend_month = spend_month - interval '1 month' where user_id = $1", [one.id]);
  expect((await usage()).period_usd).toBe(0.000001);
});

describe("a cap", () => {
  test("is announced at 80 and 100 percent, once a month each", async () => {
    const here = await world();
    const bot = await capped(here, { spend_cap_usd: 10 });
    const id = await bot.start();
    const spend = async (cost_usd: number) => (await report(bot.client, id, { cost_usd }).expect(200)).data.spend;
    expect(await spend(7.999999)).toMatchObject({ period_usd: 7.999999, remaining_usd: 2.000001, over_cap: false });
    expect(await spent(here)).toEqual([]);
    expect(await spend(0.000001)).toMatchObject({ remaining_usd: 2, over_cap: false });
    expect(await spent(here)).toEqual(["warning"]);
    await spend(1.999999);
    expect(await spent(here)).toEqual(["warning"]);
    expect(await spend(0.000001)).toMatchObject({ remaining_usd: 0, over_cap: true });
    await spend(5);
    expect(await spent(here)).toEqual(["warning", "cap_reached"]);
    const [event] = await here.sql<{ data: Record<string, unknown> }>(
      `select data from event where workspace_id = $1 and type = 'agent.spend_cap_reached'`,
      [here.workspace.id],
    );
    expect(event!.data).toMatchObject({ agent_id: bot.id, spend_cap_usd: 10, spend: { period_usd: 10 } });
  });

  test("is announced once by many reports at the same time", async () => {
    const here = await world();
    const bot = await capped(here, { spend_cap_usd: 1 });
    const sessions = [await bot.start(), await bot.start()];
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => report(bot.client, sessions[n % 2]!, { cost_usd: 0.05 }).expect(200)),
    );
    expect(await spent(here)).toEqual(["warning", "cap_reached"]);
  });

  test("tells its owner and the admins, and nobody else", async () => {
    const here = await world();
    const [admin, member] = [await here.as({ role: "admin" }), await here.as({ role: "member" })];
    const owner = await here.as({ role: "member" });
    const bot = await capped(here, { spend_cap_usd: 10, spend_cap_action: "block" });
    await here.sql(`update app_user set agent_owner_id = $2 where id = $1`, [bot.id, owner.userId]);
    const id = await bot.start();
    await report(bot.client, id, { cost_usd: 8 }).expect(200);
    const warning = "Bot has spent 80 % of its cap: $8.00 of $10.00 this month (UTC).";
    for (const one of [owner, admin, here.owner]) expect(await notices(one)).toEqual([warning]);
    await report(bot.client, id, { cost_usd: 2 }).expect(200);
    expect((await notices(owner))[0]).toBe(
      "Bot has reached its spend cap: $10.00 of $10.00 this month (UTC). It starts no more work this month, unless the cap is raised.",
    );
    expect(await notices(member)).toEqual([]);
    expect(await notices(bot.client)).toEqual([]);
  });

  test("that one report jumps over announces both, and tells people once", async () => {
    const here = await world();
    const bot = await capped(here, { spend_cap_usd: 1 });
    await report(bot.client, await bot.start(), { cost_usd: 3 }).expect(200);
    expect(await spent(here)).toEqual(["warning", "cap_reached"]);
    expect(await notices(here.owner)).toEqual(["Bot has reached its spend cap: $3.00 of $1.00 this month (UTC)."]);
  });

  test("that is raised is announced again when it is reached again", async () => {
    const here = await world();
    const bot = await capped(here, { spend_cap_usd: 10 });
    const id = await bot.start();
    const spend = (cost_usd: number) => report(bot.client, id, { cost_usd }).expect(200);
    await spend(10);
    expect(await spent(here)).toEqual(["warning", "cap_reached"]);
    await change(here, bot, { spend_cap_usd: 12 });
    // More than 80 % of the new cap are spent already, which people knew when they raised it.
    await spend(1);
    expect(await spent(here)).toHaveLength(2);
    await spend(1);
    expect((await spent(here)).slice(2)).toEqual(["cap_reached"]);
    await change(here, bot, { spend_cap_usd: 100 });
    await spend(68);
    expect((await spent(here)).slice(3)).toEqual(["warning"]);
    await change(here, bot, { spend_cap_usd: null });
    await spend(1_000);
    await change(here, bot, { spend_cap_usd: 50 });
    expect((await spent(here)).slice(4)).toEqual([]);
    await spend(0);
    expect((await spent(here)).slice(4)).toEqual(["warning", "cap_reached"]);
    // Nobody had spent between these changes.
    await change(here, bot, { spend_cap_usd: 5_000 });
    await change(here, bot, { spend_cap_usd: 50 });
    await spend(1);
    expect((await spent(here)).slice(6)).toEqual([]);
  });

  test("begins again with the month, in UTC", async () => {
    const here = await world();
    const bot = await capped(here, { spend_cap_usd: 10, spend_cap_action: "block" });
    const id = await bot.start();
    await report(bot.client, id, { cost_usd: 10 }).expect(200);
    await here.sql(`update agent set spend_month = spend_month - interval '1 month' where user_id = $1`, [bot.id]);
    const other = await bot.start();
    const { data } = await report(bot.client, other, { cost_usd: 8 }).expect(200);
    const now = new Date();
    expect(data.spend).toEqual({
      period: "month",
      period_usd: 8,
      remaining_usd: 2,
      over_cap: false,
      resets_at: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString(),
    });
    expect(await sumsOf(here, bot.id)).toMatchObject({ cost_total: 18, spend_usd: 8, spend_announced: 80 });
    expect(await spent(here)).toEqual(["warning", "cap_reached", "warning"]);
  });
});

describe("an agent whose cap blocks it", () => {
  const blocked = async (here: World) => {
    const bot = await capped(here, { spend_cap_usd: 5, spend_cap_action: "block" });
    const id = await bot.start();
    await report(bot.client, id, { cost_usd: 5 }).expect(200);
    return { agentId: bot.id, client: bot.client, id };
  };

  test("starts no session and reopens none, and goes on with those that are open", async () => {
    const here = await world();
    const bot = await blocked(here);
    const path = `W/agent-sessions/${bot.id}`;
    const { issue_key } = (await here.owner.get(path).expect(200)).data;
    const { body } = await bot.client.post("W/agent-sessions", { title: "More" }).expect(403, "spend_cap_reached");
    expect(body.error.details).toMatchObject({ spend_cap_usd: 5, period_usd: 5, resets_at: expect.any(String) });
    const forAgent = { title: "More", agent_id: bot.agentId };
    await here.owner.post("W/agent-sessions", forAgent).expect(403, "spend_cap_reached");
    await bot.client.patch(path, { note: "Nearly there" }).expect(200);
    expect((await bot.client.post("W/agent-sessions", { title: "Same", issue_key }).expect(201)).data.id).toBe(bot.id);
    await bot.client.patch(path, { state: "done" }).expect(200);
    await report(bot.client, bot.id, { cost_usd: 1 }).expect(200);
    await bot.client.patch(path, { state: "running" }).expect(403, "spend_cap_reached");
    expect((await here.owner.get(path)).data).toMatchObject({ state: "done", reopened: 0 });
    await here.owner.post("W/agent-sessions", { title: "By hand" }).expect(201);

    await here.owner.patch(`W/agents/${bot.agentId}`, { spend_cap_usd: 6.01 }).expect(200);
    await bot.client.patch(path, { state: "running" }).expect(200);
    await report(bot.client, bot.id, { cost_usd: 1 }).expect(200);
    await bot.client.post("W/agent-sessions", { title: "More" }).expect(403, "spend_cap_reached");
    await here.owner.patch(`W/agents/${bot.agentId}`, { spend_cap_action: "alert" }).expect(200);
    await bot.client.post("W/agent-sessions", { title: "More" }).expect(201);
  });

  test("is woken by no automation", async () => {
    const here = await world();
    const bot = await blocked(here);
    const { id } = await issue(here);
    const wake = () => apply(here, { type: "notify_agent", agent_user_id: bot.agentId, prompt: "Look" }, id);
    await expect(wake()).rejects.toMatchObject({ code: "spend_cap_reached" });
    await here.owner.patch(`W/agents/${bot.agentId}`, { spend_cap_usd: null }).expect(200);
    expect(await wake()).toMatchObject([{ result: "done" }]);
  });

  test("gets no stage of a workflow: the stage fails and says why", async () => {
    const here = await world();
    const bot = await blocked(here);
    const flow = await stageOf(here, bot.agentId);
    const run = await start(here, (await issue(here)).key, flow);
    expect(statesOf(run)).toMatchObject({ stage: "failed, failure", bad: "done, success", good: "skipped" });
    expect(nodeOf(run, "stage").error).toBe("The agent has reached its spend cap.");
    await here.owner.patch(`W/agents/${bot.agentId}`, { spend_cap_usd: 6 }).expect(200);
    expect(statesOf(await start(here, (await issue(here)).key, flow))).toMatchObject({ stage: "active" });
  });
});

describe("the cap of a stage", () => {
  const runOf = async (here: World, { id }: { id: string }) =>
    (await here.owner.get(`W/workflow-runs/${id}`).expect(200)).data as Run;
  const toldTo = (here: World, agentId: string) =>
    here
      .sql<{ type: string }>(`select type from event where workspace_id = $1 and person_id = $2 order by id`, [
        here.workspace.id,
        agentId,
      ])
      .then((rows) => rows.map(({ type }) => type));

  test("fails the stage when its session has spent so much since the stage began", async () => {
    const here = await world();
    const bot = await reporterIn(here);
    const run = await start(here, (await issue(here)).key, await stageOf(here, bot.id, { spend_cap_usd: 2.5 }));
    const id = await sessionOn(bot, run);
    await drain();
    await report(bot.client, id, { cost_usd: 2.49 }).expect(200);
    await report(bot.client, id, { tokens_in: 5, model: "unknown" }).expect(200);
    await drain();
    expect(statesOf(await runOf(here, run))).toMatchObject({ stage: "active" });
    await report(bot.client, id, { cost_usd: 0.01 }).expect(200);
    await drain();
    const ended = await runOf(here, run);
    expect(statesOf(ended)).toMatchObject({ stage: "failed, failure", bad: "done, success", good: "skipped" });
    const error = "The stage has reached its spend cap of 2.5 US dollars.";
    expect(nodeOf(ended, "stage")).toMatchObject({ error, session_id: id, completed_by: null });
    expect(await toldTo(here, bot.id)).toEqual(["workflow.stage_activated", "workflow.stage_cancelled"]);
    // The session itself goes on, and may report the rest.
    expect((await report(bot.client, id, { cost_usd: 1 }).expect(200)).data.state).toBe("running");
    await drain();
  });

  test("does not count what the session had used before, and leaves a session that has ended", async () => {
    const here = await world();
    const bot = await reporterIn(here);
    const { key } = await issue(here);
    const body = { title: "Early", issue_key: key };
    const { id } = (await bot.client.post("W/agent-sessions", body).expect(201)).data;
    await report(bot.client, id, { cost_usd: 50 }).expect(200);
    const run = await start(here, key, await stageOf(here, bot.id, { spend_cap_usd: 5 }));
    await bot.client.patch(`W/agent-sessions/${id}`, { state: "review" }).expect(200);
    await report(bot.client, id, { cost_usd: 4 }).expect(200);
    await drain();
    expect(nodeOf(await runOf(here, run), "stage")).toMatchObject({ state: "active", session_id: id });
    await bot.client.patch(`W/agent-sessions/${id}`, { state: "done" }).expect(200);
    await report(bot.client, id, { cost_usd: 4 }).expect(200);
    await drain();
    expect(statesOf(await runOf(here, run))).toMatchObject({ stage: "done, success" });
  });

  test("without one, a stage costs what it costs", async () => {
    const here = await world();
    const bot = await reporterIn(here);
    const run = await start(here, (await issue(here)).key, await stageOf(here, bot.id));
    const id = await sessionOn(bot, run);
    await drain();
    await report(bot.client, id, { cost_usd: 10_000 }).expect(200);
    await drain();
    expect(statesOf(await runOf(here, run))).toMatchObject({ stage: "active" });
    expect(await toldTo(here, bot.id)).toEqual(["workflow.stage_activated"]);
  });
});

const sessionOn = async ({ client }: Reporter, { issue_key }: Run): Promise<string> =>
  (await client.post("W/agent-sessions", { title: "Stage", issue_key }).expect(201)).data.id;
