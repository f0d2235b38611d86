import { expect, test } from "vitest";
import { world } from "../support/world.ts";
import { eventsOf, report, reporterIn, sumsOf } from "./reporting.ts";

/** Sums of reports that arrive at the same time. */

test("the sums of a hundred reports at the same time are exact, some sent twice", async () => {
  const here = await world();
  const bot = await reporterIn(here);
  const sessions = [await bot.start(), await bot.start(), await bot.start()];
  // 100 turns, of which every fourth is sent three times with other contents. Costs that floats do not add up exactly.
  const turns = Array.from({ length: 100 }, (_, n) => ({ n, session: sessions[n % 3]!, copies: n % 4 === 0 ? 3 : 1 }));
  const sent = turns.flatMap(({ n, session, copies }) =>
    Array.from({ length: copies }, (_, copy) => ({
      session,
      body: { turn_id: `turn-${n}`, cost_usd: 0.1 + copy, tokens_in: 1_000_000_000, tokens_out: n, cached_tokens: 7 },
    })),
  );
  const replies = await Promise.all(sent.map(({ session, body }) => report(bot.client, session, body).expect(200)));

  // Which copy came first is open, but all copies of a turn say the same.
  const costs = new Map<string, number>();
  sent.forEach(({ body }, at) => {
    const { cost_usd } = replies[at]!.data.turn;
    expect(costs.get(body.turn_id) ?? cost_usd, body.turn_id).toBe(cost_usd);
    costs.set(body.turn_id, cost_usd);
  });
  const millionths = [...costs.values()].reduce((total, cost) => total + Math.round(cost * 1e6), 0);
  const sums = {
    cost_total: millionths / 1e6,
    tokens_in: 100_000_000_000,
    tokens_out: 4_950,
    cached_tokens: 700,
    usage_reports: 100,
    spend_usd: millionths / 1e6,
  };
  expect(await sumsOf(here, bot.id)).toMatchObject(sums);
  const rows = await Promise.all(sessions.map(async (id) => (await here.owner.get(`W/agent-sessions/${id}`)).data));
  const total = (field: string) => rows.reduce((sum, row) => sum + Math.round(row[field] * 1e6), 0) / 1e6;
  expect(total("cost_usd")).toBe(sums.cost_total);
  expect(total("tokens_in")).toBe(sums.tokens_in);
  expect(total("usage_reports")).toBe(100);
  expect(await eventsOf(here, "agent_session.updated")).toHaveLength(100);
});

test("reports, changes of the session and of its issue at the same time all succeed", async () => {
  const here = await world();
  const bot = await reporterIn(here);
  const id = await bot.start();
  const { issue_key } = (await here.owner.get(`W/agent-sessions/${id}`)).data;
  await Promise.all(
    Array.from({ length: 25 }, (_, n) => [
      report(bot.client, id, { cost_usd: 0.01, model: `m-${n}` }).expect(200),
      bot.client.patch(`W/agent-sessions/${id}`, { note: `Note ${n}` }).expect(200),
      here.owner.patch(`P/issues/${issue_key}`, { title: `Title ${n}` }).expect(200),
    ]).flat(),
  );
  expect((await here.owner.get(`W/agent-sessions/${id}`)).data).toMatchObject({ cost_usd: 0.25, usage_reports: 25 });
});

test("sums stay exact beyond what one report can hold", async () => {
  const here = await world();
  const bot = await reporterIn(here);
  const id = await bot.start();
  await here.sql(`update agent_session set cost_usd = 999999.999999, tokens_in = 9000000000000 where id = $1`, [id]);
  const { data } = await report(bot.client, id, { cost_usd: 10_000, tokens_in: 1_000_000_000 }).expect(200);
  expect(data).toMatchObject({ cost_usd: 1_009_999.999999, tokens_in: 9_001_000_000_000 });
});
