import pg from "pg";
import { expect, test } from "vitest";
import { type World, world } from "../support/world.ts";
import { agent, issue, read, revoke, session, setPaused } from "./sessions.ts";

/** Sessions start and go on only while their agent and project allow it, also if that changes at the same moment. */

test("nobody starts or reopens a session of a paused agent", async () => {
  const here = await world();
  const bot = await agent(here);
  const done = await session(here, bot, undefined, "done");
  await setPaused(here, bot.id, true);
  const body = { title: "x", agent_id: bot.id };
  await here.owner
    .post("W/agent-sessions", { ...body, issue_key: (await issue(here)).key })
    .expect(403, "agent_paused");
  await here.owner.post("W/agent-sessions", body).expect(403, "agent_paused");
  await here.owner.post("W/agent-sessions", { ...body, issue_key: "next", project: "WEB" }).expect(403, "agent_paused");
  for (const state of ["running", "needs_input", "review"]) {
    await here.owner.patch(`W/agent-sessions/${done.id}`, { state }).expect(403, "agent_paused");
  }
  await here.owner.patch(`W/agent-sessions/${done.id}`, { state: "failed" }).expect(200);
  await setPaused(here, bot.id, false);
  await here.owner.patch(`W/agent-sessions/${done.id}`, { state: "running" }).expect(200);
});

test("nobody starts or reopens a session of a disconnected agent", async () => {
  const here = await world();
  const bot = await agent(here);
  const done = await session(here, bot, undefined, "done");
  await revoke(here, bot.id);
  const body = { title: "x", agent_id: bot.id, issue_key: (await issue(here)).key };
  await here.owner.post("W/agent-sessions", body).expect(409, "invalid_state_change");
  const path = `W/agent-sessions/${done.id}`;
  await here.owner.patch(path, { state: "running" }).expect(409, "invalid_state_change");
  await here.owner.patch(path, { note: "Was right", state: "failed" }).expect(200);
  await here.owner.post("W/api-keys", { name: "New", agent_id: bot.id }).expect(201);
  await here.owner.patch(path, { state: "running" }).expect(200);
});

const MEANWHILE: [string, string, string][] = [
  ["the agent is paused", "update agent set paused_at = now() where user_id = $1", "agent_paused"],
  ["the agent is disconnected", "update agent set revoked_at = now() where user_id = $1", "invalid_state_change"],
  ["the project is archived", "update project set archived_at = now() where id = $2", "archived"],
];

test.each(MEANWHILE)("no session starts while %s", async (_, change, code) => {
  const here = await world();
  const bot = await agent(here);
  const { key } = await issue(here);
  const starts = [{ issue_key: key }, { issue_key: "next", project: "WEB" }, { project: "WEB" }];
  for (const body of starts) {
    const holder = new pg.Client({ connectionString: here.app.config.DATABASE_URL });
    await holder.connect();
    try {
      await holder.query("begin");
      await holder.query(`${change} and coalesce($1::uuid, $2::uuid) is not null`, [bot.id, here.project.id]);
      const starting = here.owner.post("W/agent-sessions", { title: "x", agent_id: bot.id, ...body }).then((r) => r);
      await expect.poll(() => waiting(here)).toBe(1);
      await holder.query("commit");
      expect((await starting).body.code).toBe(code);
    } finally {
      await holder.end();
    }
    await here.sql("update agent set paused_at = null, revoked_at = null where user_id = $1", [bot.id]);
    await here.sql("update project set archived_at = null where id = $1", [here.project.id]);
  }
  expect((await here.owner.get("W/agent-sessions").expect(200)).data).toEqual([]);
});

test("a session does not go on while its agent is paused", async () => {
  const here = await world();
  const bot = await agent(here);
  const asks = await session(here, bot, undefined, "needs_input");
  const holder = new pg.Client({ connectionString: here.app.config.DATABASE_URL });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("update agent set paused_at = now() where user_id = $1", [bot.id]);
    const going = here.owner.patch(`W/agent-sessions/${asks.id}`, { state: "running" }).then((r) => r);
    await expect.poll(() => waiting(here)).toBe(1);
    await holder.query("commit");
    expect((await going).body.code).toBe("agent_paused");
  } finally {
    await holder.end();
  }
  expect(await read(here, asks)).toMatchObject({ state: "needs_input" });
});

const waiting = async ({ sql }: World) =>
  (await sql("select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")).length;
