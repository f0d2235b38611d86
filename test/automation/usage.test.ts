import { describe, expect, test } from "vitest";
import { firstIdAt, newId } from "../../src/domain/kernel/ids.ts";
import { cleanUpNow } from "../support/jobs.ts";
import { world } from "../support/world.ts";
import { eventsOf, report, reporterIn, sumsOf } from "./reporting.ts";

/** Reports of what agents use: what they add to sessions and agents, and who may send them. */

describe("a report", () => {
  test("adds costs and tokens to the session and to the agent", async () => {
    const here = await world();
    const bot = await reporterIn(here);
    const id = await bot.start();
    const first = { cost_usd: 0.25, tokens_in: 1_000, tokens_out: 100, cached_tokens: 800, model: "claude-sonnet-5" };
    const { data } = await report(bot.client, id, first).expect(200);
    expect(data).toMatchObject({
      id,
      cost_usd: 0.25,
      tokens_in: 1_000,
      tokens_out: 100,
      cached_tokens: 800,
      usage_reports: 1,
      cost_estimated: false,
      model: "claude-sonnet-5",
      turn: { cost_usd: 0.25, source: "reported", price_match: null },
      spend: { period: "month", period_usd: 0.25, remaining_usd: null, over_cap: false },
    });
    await report(bot.client, id, { cost_usd: 0.000001, tokens_out: 1, model: "other" }).expect(200);
    const session = (await here.owner.get(`W/agent-sessions/${id}`).expect(200)).data;
    expect(session).toMatchObject({ cost_usd: 0.250001, tokens_in: 1_000, tokens_out: 101, cached_tokens: 800 });
    expect(session).toMatchObject({ usage_reports: 2, model: "other" });
    expect(await sumsOf(here, bot.id)).toMatchObject({
      cost_total: 0.250001,
      tokens_in: 1_000,
      tokens_out: 101,
      cached_tokens: 800,
      usage_reports: 2,
      spend_usd: 0.250001,
      spend_month: `${new Date().toISOString().slice(0, 7)}-01`,
    });
    expect(await eventsOf(here, "agent_session.%")).toEqual([
      "agent_session.created",
      "agent_session.updated",
      "agent_session.updated",
    ]);
    const [event] = await here.sql<{ changed: string[]; previous: object }>(
      `select changed, previous from event where workspace_id = $1 and type = 'agent_session.updated' order by id`,
      [here.workspace.id],
    );
    expect(event!.changed.toSorted()).toEqual(
      ["cached_tokens", "cost_usd", "model", "tokens_in", "tokens_out", "usage_reports"].toSorted(),
    );
    expect(event!.previous).toMatchObject({ cost_usd: null, tokens_in: null, usage_reports: 0 });
  });

  test("estimates costs from tokens and model, also the model of earlier reports", async () => {
    const here = await world();
    const bot = await reporterIn(here);
    const id = await bot.start({ model: "anthropic/claude-opus-4.5-20251101" });
    const tokens = { tokens_in: 1_000_000, tokens_out: 10_000, cached_tokens: 200_000, cache_write_tokens: 100_000 };
    const { turn, ...session } = (await report(bot.client, id, tokens).expect(200)).data;
    // 700,000 at 5, 200,000 at 0.5, 100,000 at 6.25 and 10,000 at 25 dollars a million.
    expect(turn).toEqual({ cost_usd: 4.475, source: "estimated", price_match: "claude-opus-4-5" });
    expect(session).toMatchObject({ cost_usd: 4.475, cost_estimated: true });
    const other = (await report(bot.client, id, { tokens: 1_000, model: "o3" }).expect(200)).data;
    expect(other.turn).toEqual({ cost_usd: 0.0032, source: "estimated", price_match: "o3" });
    expect((await report(bot.client, id, { tokens: 1_000 }).expect(200)).data.turn.price_match).toBe("o3");
    const sent = (await report(bot.client, id, { tokens: 1_000, cost_usd: 0 }).expect(200)).data;
    expect(sent.turn).toEqual({ cost_usd: 0, source: "reported", price_match: null });
    expect(sent.cost_estimated).toBe(true);
  });

  test("without a known price has no costs, and its tokens still count", async () => {
    const here = await world();
    const bot = await reporterIn(here);
    const id = await bot.start();
    const { data, body } = await report(bot.client, id, { tokens_in: 5, model: "home-made-1" }).expect(200);
    expect(body.warnings).toMatchObject([
      { code: "costs_unknown", message: expect.stringContaining("model home-made-1.") },
    ]);
    expect(data).toMatchObject({ cost_usd: null, tokens_in: 5, tokens_out: null, burn_rate_usd_per_hour: null });
    expect(data).toMatchObject({ cost_estimated: false, turn: { cost_usd: null, source: "none", price_match: null } });
    expect(await sumsOf(here, bot.id)).toMatchObject({
      cost_total: null,
      tokens_in: 5,
      tokens_out: null,
      spend_usd: 0,
    });
    await report(bot.client, id, { cost_usd: 1.5 }).expect(200);
    await report(bot.client, id, { tokens_in: 5, model: "home-made-1" }).expect(200);
    expect((await here.owner.get(`W/agent-sessions/${id}`)).data).toMatchObject({ cost_usd: 1.5, tokens_in: 10 });
  });

  test("whose costs are not known says why", async () => {
    const here = await world();
    const bot = await reporterIn(here);
    const id = await bot.start();
    const warningsOf = async (body: object) => (await report(bot.client, id, body).expect(200)).body.warnings;
    expect((await warningsOf({ tokens_in: 5 }))[0].message).toContain(
      "Neither the report nor the session names a model.",
    );
    expect(await warningsOf({ tokens_in: 5, model: "Claude-Sonet-5" })).toMatchObject([
      { code: "costs_unknown", did_you_mean: "claude-sonnet-5" },
    ]);
    expect(await warningsOf({ tokens_in: 5, model: "claude-sonnet-5" })).toBeUndefined();
    expect(await warningsOf({ cost_usd: 1, model: "home-made-1" })).toBeUndefined();
  });

  test("has its tokens in any form", async () => {
    const here = await world();
    const bot = await reporterIn(here);
    const tokensOf = async (body: object) => {
      const { data } = await report(bot.client, await bot.start(), body).expect(200);
      return [data.tokens_in, data.tokens_out, data.cached_tokens];
    };
    expect(await tokensOf({ tokens: 1_001 })).toEqual([801, 200, null]);
    expect(await tokensOf({ tokens: 1_001, cached_tokens: 7 })).toEqual([801, 200, 7]);
    expect(await tokensOf({ tokens: { input: 9, output: 2, cache_read: 4, cache_write: 3 } })).toEqual([9, 2, 4]);
    expect(await tokensOf({ tokens: { output: 2 }, tokens_in: null })).toEqual([null, 2, null]);
    expect(await tokensOf({ tokens: 0 })).toEqual([0, 0, null]);
    const most = 1_000_000_000;
    expect(await tokensOf({ tokens_in: most, tokens_out: most, cached_tokens: most })).toEqual([most, most, most]);
  });

  test("needs costs or tokens, within bounds", async () => {
    const here = await world();
    const bot = await reporterIn(here);
    const id = await bot.start();
    const refused = async (body: unknown, code: string, field?: string) => {
      const { body: problem } = await report(bot.client, id, body).expect(400);
      const errors: { code: string; path: string }[] = problem.error.details.errors ?? [];
      expect([problem.code, ...errors.map((one) => one.code)]).toContain(code);
      if (field) expect(errors[0]!.path).toBe(field);
    };
    for (const empty of [{}, { model: "o3" }, { cost_usd: null, tokens: null }, { tokens: {} }]) {
      await refused(empty, "required");
    }
    await refused({ tokens: 5, tokens_in: 1 }, "mutually_exclusive");
    await refused({ tokens: 5, tokens_out: 0 }, "mutually_exclusive");
    await refused({ tokens: { input: 5 }, cached_tokens: 1 }, "mutually_exclusive");
    await refused({ cost_usd: 10_000.01 }, "too_large", "/cost_usd");
    await refused({ cost_usd: -0.01 }, "too_small", "/cost_usd");
    await refused({ tokens_in: 1_000_000_001 }, "too_large", "/tokens_in");
    await refused({ tokens_in: 0.5 }, "type", "/tokens_in");
    await refused({ tokens: -1 }, "too_small", "/tokens");
    await refused({ tokens: { input: 1, thoughts: 2 } }, "type", "/tokens");
    const strange = await report(bot.client, id, { tokens: { input: 1, ["x".repeat(100_000)]: 2 } }).expect(400);
    expect(strange.body.detail).toMatch(/^tokens has no field x{200}…$/);
    await refused({ tokens: "5" }, "type", "/tokens");
    await refused({ cost_usd: 1, turn_id: "" }, "too_short", "/turn_id");
    await refused({ cost_usd: 1, turn_id: "x".repeat(101) }, "too_long", "/turn_id");
    expect((await here.owner.get(`W/agent-sessions/${id}`)).data.usage_reports).toBe(0);
  });

  test("with the id of an earlier turn changes nothing and returns that turn", async () => {
    const here = await world();
    const bot = await reporterIn(here);
    const [id, other] = [await bot.start(), await bot.start()];
    const first = (await report(bot.client, id, { cost_usd: 1, turn_id: "t-1" }).expect(200)).data;
    const again = (await report(bot.client, id, { cost_usd: 7, tokens_in: 3, turn_id: "t-1" }).expect(200)).data;
    expect(again).toMatchObject({ cost_usd: 1, tokens_in: null, usage_reports: 1 });
    expect(again.turn).toEqual(first.turn);
    expect(again.spend).toEqual(first.spend);
    expect(again.last_activity_at).toBe(first.last_activity_at);
    await report(bot.client, other, { cost_usd: 2, turn_id: "t-1" }).expect(200);
    await report(bot.client, id, { cost_usd: 4 }).expect(200);
    await report(bot.client, id, { cost_usd: 4 }).expect(200);
    expect(await sumsOf(here, bot.id)).toMatchObject({ cost_total: 11, usage_reports: 4 });
  });

  test("says that the agent is at work, also after the end of the session", async () => {
    const here = await world();
    const bot = await reporterIn(here);
    const id = await bot.start();
    await here.sql(`update agent_session set last_activity_at = now() - interval '31 minutes' where id = $1`, [id]);
    expect((await here.owner.get(`W/agent-sessions/${id}`)).data.stalled).toBe(true);
    const { data } = await report(bot.client, id, { cost_usd: 1 }).expect(200);
    expect(data).toMatchObject({ stalled: false, state: "running" });
    const profile = (await here.owner.get(`W/agents/${bot.id}`).expect(200)).data;
    expect(profile.last_activity_at).toBe(data.last_activity_at);
    for (const state of ["done", "cancelled"]) {
      await bot.client.patch(`W/agent-sessions/${id}`, { state }).expect(200);
      expect((await report(bot.client, id, { cost_usd: 1 }).expect(200)).data.state).toBe(state);
    }
    await here.owner.delete("P").expect(200);
    expect((await report(bot.client, id, { cost_usd: 1 }).expect(200)).data.cost_usd).toBe(4);
  });
});

test("only the agent, its owner and admins report; readers of other workspaces find nothing", async () => {
  const here = await world();
  const [bot, other, member] = [await reporterIn(here), await reporterIn(here), await here.as({ role: "member" })];
  const id = await bot.start();
  const body = { cost_usd: 1 };
  await report(other.client, id, body).expect(403, "not_owner_of_resource");
  await report(member, id, body).expect(403, "not_owner_of_resource");
  await report(member, id, { ...body, agent_id: bot.id }).expect(403, "not_owner_of_resource");
  await report(await here.as({ role: "viewer" }), id, body).expect(403);
  await report((await here.other()).owner, id, body).expect(404);
  await report(bot.client, newId(), body).expect(404);
  await report(here.owner, id, { ...body, agent_id: other.id }).expect(400, "invalid_reference");
  await report(here.owner, id, { ...body, agent_id: bot.id }).expect(200);
  await report(bot.client, id, { ...body, agent_id: "me" }).expect(200);
  await here.sql(`update app_user set agent_owner_id = $2 where id = $1`, [bot.id, member.userId]);
  await report(member, id, body).expect(200);
  const reader = await here.keyFor(Object.assign(member, { userId: bot.id }), { scopes: ["read"] });
  await report(reader, id, body).expect(403, "insufficient_scope");
});

test("a paused agent reports nothing, but its owner may", async () => {
  const here = await world();
  const bot = await reporterIn(here);
  const id = await bot.start();
  await here.owner.patch(`W/agents/${bot.id}`, { paused: true }).expect(200);
  await report(bot.client, id, { cost_usd: 1 }).expect(403, "agent_paused");
  expect((await report(here.owner, id, { cost_usd: 1 }).expect(200)).data.cost_usd).toBe(1);
});

test("people report for sessions of their own, which have no spend", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const { id } = (await member.post("W/agent-sessions", { title: "By hand" }).expect(201)).data;
  const { data } = await report(member, id, { cost_usd: 1, turn_id: "a" }).expect(200);
  expect(data).toMatchObject({ cost_usd: 1, spend: null });
  expect((await report(member, id, { cost_usd: 1, turn_id: "a" }).expect(200)).data.spend).toBe(null);
});

test("the burn rate is that of the last hour, or of the session if it is younger", async () => {
  const here = await world();
  const bot = await reporterIn(here);
  const id = await bot.start();
  const rate = async () => (await here.owner.get(`W/agent-sessions/${id}`).expect(200)).data.burn_rate_usd_per_hour;
  const listed = async () =>
    (await here.owner.get("W/agent-sessions").expect(200)).data.map(
      (one: { burn_rate_usd_per_hour: number }) => one.burn_rate_usd_per_hour,
    );
  const age = (minutes: number) =>
    here.sql(`update agent_session set started_at = now() - $2 * interval '1 minute' where id = $1`, [id, minutes]);
  expect(await rate()).toBe(null);
  await report(bot.client, id, { cost_usd: 3 }).expect(200);
  // The first minute counts as a whole one.
  await here.sql(`update agent_session set started_at = now() + interval '1 minute' where id = $1`, [id]);
  expect(await rate()).toBe(180);
  await age(30);
  expect(await rate()).toBeCloseTo(6, 0);
  await age(300);
  expect(await rate()).toBe(3);
  expect(await listed()).toEqual([3]);
  await here.sql(`update agent_usage set created_at = now() - interval '61 minutes' where session_id = $1`, [id]);
  expect(await rate()).toBe(0);
  await report(bot.client, id, { cost_usd: 0.5 }).expect(200);
  expect(await rate()).toBe(0.5);
});

test("reports are deleted long after the end of their session, and the sums stay", async () => {
  const here = await world();
  const bot = await reporterIn(here);
  const [old, open, recent] = [await bot.start(), await bot.start(), await bot.start()];
  for (const id of [old, open, recent]) await report(bot.client, id, { cost_usd: 2, tokens_in: 3 }).expect(200);
  for (const id of [old, recent]) await bot.client.patch(`W/agent-sessions/${id}`, { state: "done" }).expect(200);
  const longAgo = new Date(Date.now() - 401 * 86_400_000);
  await here.sql(`update agent_usage set id = $2 where session_id = $1`, [old, firstIdAt(longAgo)]);
  const second = firstIdAt(new Date(longAgo.getTime() + 1));
  await here.sql(`update agent_usage set id = $2 where session_id = $1`, [open, second]);
  await here.sql(`update agent_session set ended_at = $2 where id = $1`, [old, longAgo.toISOString()]);
  await cleanUpNow();
  const left = await here.sql<{ session_id: string }>(
    `select session_id from agent_usage where workspace_id = $1 order by session_id`,
    [here.workspace.id],
  );
  expect(left.map(({ session_id }) => session_id)).toEqual([open, recent].toSorted());
  expect((await here.owner.get(`W/agent-sessions/${old}`)).data).toMatchObject({ cost_usd: 2, tokens_in: 3 });
  expect(await sumsOf(here, bot.id)).toMatchObject({ cost_total: 6, usage_reports: 3 });
});
