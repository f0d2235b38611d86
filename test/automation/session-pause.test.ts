import { expect, test } from "vitest";
import { settleOf } from "../../src/domain/automation/agent-sessions/settle.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { agent, background, read, session, setPaused, sweep } from "./sessions.ts";

/** The sessions of a paused agent wait, and go on when it is resumed. */

const PAUSED = { state: "needs_input", state_reason: "agent_paused" };

async function sessions(here: World) {
  const bot = await agent(here);
  const running = await session(here, bot);
  const review = await session(here, bot, undefined, "review");
  const asks = await session(here, bot);
  const question = { text: "Which?", options: [] };
  await bot.client.patch(`W/agent-sessions/${asks.id}`, { state: "needs_input", question }).expect(200);
  const done = await session(here, bot, undefined, "done");
  const stopped = await session(here, bot);
  return { bot, running, review, asks, done, stopped };
}

test("pausing holds open sessions, and resuming undoes just that", async () => {
  const here = await world();
  const { bot, running, review, asks, done, stopped } = await sessions(here);
  await setPaused(here, bot.id, true);
  await drain();
  for (const one of [running, review, stopped]) expect(await read(here, one)).toMatchObject(PAUSED);
  expect(await read(here, asks)).toMatchObject({ state: "needs_input", state_reason: null });
  expect(await read(here, done)).toMatchObject({ state: "done" });
  const shown = (await here.owner.get(`P/issues/${running.issue_key}`).expect(200)).data;
  expect(shown.active_session_ids).toEqual([running.id]);

  // Its owner cannot let it work before it is resumed, but can stop it.
  const patch = (one: { id: string }, state: string) => here.owner.patch(`W/agent-sessions/${one.id}`, { state });
  await patch(running, "running").expect(403, "agent_paused");
  await patch(asks, "review").expect(403, "agent_paused");
  await patch(stopped, "cancelled").expect(200);
  await here.sql(`update agent_session set last_activity_at = now() - interval '3 days' where id = $1`, [running.id]);

  await setPaused(here, bot.id, false);
  await drain();
  await sweep(here);
  expect(await read(here, running)).toMatchObject({ state: "running", state_reason: null, stalled: false });
  expect(await read(here, review)).toMatchObject({ state: "review", state_reason: null });
  expect(await read(here, asks)).toMatchObject({ state: "needs_input", question: { text: "Which?" } });
  expect(await read(here, stopped)).toMatchObject({ state: "cancelled", state_reason: null });
  expect(await read(here, done)).toMatchObject({ state: "done" });
});

test("jobs that come late, twice and in the wrong order leave what the agent's row says", async () => {
  const here = await world();
  const { bot, running, review } = await sessions(here);
  for (const paused of [true, false, true, false, true]) await setPaused(here, bot.id, paused);
  const events = await here.sql<{ id: string }>(
    `select id from event where workspace_id = $1 and type = 'agent.updated' order by id desc`,
    [here.workspace.id],
  );
  const settle = (ids: string[]) => settleOf(background(here), here.workspace.id, ids, new AbortController().signal);
  const each = events.map(({ id }) => [id]);
  await Promise.all([...each, ...each].map(settle));
  for (const one of [running, review]) expect(await read(here, one)).toMatchObject(PAUSED);
  await drain();
  for (const one of [running, review]) expect(await read(here, one)).toMatchObject(PAUSED);

  await setPaused(here, bot.id, false);
  for (const { id } of events) await settle([id]);
  expect(await read(here, running)).toMatchObject({ state: "running" });
  expect(await read(here, review)).toMatchObject({ state: "review" });
});

test("the sweep repairs what no event told", async () => {
  const here = await world();
  const { bot, running } = await sessions(here);
  await here.sql(`update agent set paused_at = now() where user_id = $1`, [bot.id]);
  await sweep(here);
  expect(await read(here, running)).toMatchObject(PAUSED);
  await here.sql(`update agent set paused_at = null, revoked_at = now() where user_id = $1`, [bot.id]);
  await sweep(here);
  expect(await read(here, running)).toMatchObject({ state: "cancelled", state_reason: "agent_revoked" });
});
