import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { settleOf } from "../../src/domain/automation/agent-sessions/settle.ts";
import { startWorker } from "../../src/start-worker.ts";
import { drain } from "../support/jobs.ts";
import { startProcess } from "../support/process.ts";
import { world } from "../support/world.ts";
import { nodeOf, start, statesOf, workflow } from "./flows.ts";
import { agent, background, issue, read, revoke, session, sweep } from "./sessions.ts";

/** Sessions end with what they are about, and with whom they belong to. */

const CANCELLED = (state_reason: string) => ({ state: "cancelled", state_reason, ended_at: expect.any(String) });

test("a session is cancelled within a second after its issue is archived, and not opened again with the issue", async () => {
  const here = await world({ webhook: ["agent_session.state_changed"] });
  const bot = await agent(here);
  const [one, other] = [await session(here, bot), await session(here, bot)];
  await drain();
  const worker = await startWorker(here.app.config);
  try {
    await here.owner.delete(`P/issues/${one.issue_key}`).expect(200);
    await expect.poll(() => read(here, one), { timeout: 5_000 }).toMatchObject(CANCELLED("issue_archived"));
  } finally {
    await worker.stop();
  }
  await drain();
  expect(here.receiver.requests.map(({ json }) => json)).toMatchObject([
    { data: { id: one.id, state: "cancelled" }, previous: { state: "running" }, actor: { id: null, kind: "system" } },
  ]);
  expect(await read(here, other)).toMatchObject({ state: "running" });
  await bot.client.patch(`W/agent-sessions/${one.id}`, { state: "running" }).expect(409, "session_cancelled");
  await bot.client.patch(`W/agent-sessions/${one.id}`, { note: "Stopped" }).expect(200);
  await here.owner.post(`P/issues/${one.issue_key}/restore`).expect(200);
  await drain();
  await sweep(here);
  expect(await read(here, one)).toMatchObject({ ...CANCELLED("issue_archived"), note: "Stopped" });
  const shown = (await here.owner.get(`P/issues/${one.issue_key}`).expect(200)).data;
  expect(shown.active_session_ids).toEqual([]);
});

test("deleting a column or archiving the project cancels the sessions on its issues, however many", async () => {
  const here = await world();
  const [bot, other] = [await agent(here), await agent(here)];
  const items = Array.from({ length: 30 }, () => ({ title: "One" }));
  await here.owner.post("P/issues/bulk", { items }).expect(201);
  const keys = items.map((_, n) => `WEB-${n + 1}`);
  const inProgress = { status_id: here.columns["In Progress"] };
  for (const key of keys.slice(0, 3)) await here.owner.patch(`P/issues/${key}`, inProgress).expect(200);
  const sessions = await Promise.all(keys.flatMap((key) => [session(here, bot, key), session(here, other, key)]));
  await here.owner.delete(`P/statuses/${here.columns["In Progress"]}`).expect(200);
  await drain();
  const states = () =>
    here.sql(
      `select state, state_reason, count(*)::int from agent_session where workspace_id = $1 group by 1, 2 order by 1`,
      [here.workspace.id],
    );
  expect(await states()).toEqual([
    { state: "cancelled", state_reason: "issue_archived", count: 6 },
    { state: "running", state_reason: null, count: 54 },
  ]);

  const done = sessions.find(({ issue_key }) => issue_key === keys[10])!;
  await bot.client.patch(`W/agent-sessions/${done.id}`, { state: "done" }).expect(200);
  await here.owner.delete("P").expect(200);
  await drain();
  expect(await states()).toEqual([
    { state: "cancelled", state_reason: "issue_archived", count: 59 },
    { state: "done", state_reason: null, count: 1 },
  ]);
  await here.owner.patch(`W/agent-sessions/${done.id}`, { state: "running" }).expect(409, "archived");
  await here.owner.post("P/restore").expect(200);
  await drain();
  expect(await states()).toMatchObject([{ count: 59 }, { count: 1 }]);
});

test("a revoked agent's sessions are cancelled, and a removed member's own", async () => {
  const here = await world();
  const [bot, other] = [await agent(here), await agent(here)];
  const member = await here.as({ role: "member" });
  const ofBot = [await session(here, bot), await session(here, bot, undefined, "review")];
  const free = (await bot.client.post("W/agent-sessions", { title: "Without an issue" }).expect(201)).data;
  const [ofOther, own] = [await session(here, other), await session(here, { client: member })];
  await revoke(here, bot.id);
  await here.owner.delete(`W/members/${member.userId}`).expect(200);
  await drain();
  for (const one of [...ofBot, free]) expect(await read(here, one)).toMatchObject(CANCELLED("agent_revoked"));
  expect(await read(here, own)).toMatchObject(CANCELLED("member_removed"));
  expect(await read(here, ofOther)).toMatchObject({ state: "running" });
});

test("a session that starts while its issue or project is archived does not stay open", async () => {
  const here = await world();
  const bot = await agent(here);
  for (const archived of ["issue", "project"] as const) {
    for (let round = 0; round < 5; round++) {
      const { key } = await issue(here);
      const [started] = await Promise.all([
        bot.client.post("W/agent-sessions", { title: "x", issue_key: key }),
        here.owner.delete(archived === "issue" ? `P/issues/${key}` : "P").expect(200),
      ]);
      expect([201, 409]).toContain(started.status);
      await drain();
      // One that another process started from an older reading of the project is found by the sweep.
      await sweep(here);
      const open = `select id from agent_session where workspace_id = $1 and ended_at is null`;
      expect(await here.sql(open, [here.workspace.id])).toEqual([]);
      if (archived === "project") await here.owner.post("P/restore").expect(200);
    }
  }
});

test("jobs that run twice, at once and late change a session once, and nothing that was restored since", async () => {
  const here = await world();
  const bot = await agent(here);
  const sessions = await Promise.all([1, 2, 3, 4, 5, 6].map(() => session(here, bot)));
  for (const { issue_key } of sessions) await here.owner.delete(`P/issues/${issue_key}`).expect(200);
  const events = await here.sql<{ id: string }>(
    `select id from event where workspace_id = $1 and type = 'issue.archived' order by id desc`,
    [here.workspace.id],
  );
  const ids = events.map(({ id }) => id);
  await here.owner.post(`P/issues/${sessions[0]!.issue_key}/restore`).expect(200);
  const settle = () => settleOf(background(here), here.workspace.id, ids, new AbortController().signal);
  const settled = await Promise.all(Array.from({ length: 8 }, settle));
  expect(settled.reduce((sum, count) => sum + count, 0)).toBe(5);
  await drain();
  const changes = `select data ->> 'id' as id, cause ->> 'root_event_id' as root, cause -> 'depth' as depth
                   from event where workspace_id = $1 and type = 'agent_session.state_changed'`;
  const recorded = await here.sql<{ id: string; root: string }>(changes, [here.workspace.id]);
  expect(recorded.map(({ id }) => id).sort()).toEqual(
    sessions
      .slice(1)
      .map(({ id }) => id)
      .sort(),
  );
  expect(recorded.every(({ root }) => ids.includes(root))).toBe(true);
  expect(await read(here, sessions[0]!)).toMatchObject({ state: "running" });
});

test("a job that is stopped leaves the rest to the next one", async () => {
  const here = await world();
  const bot = await agent(here);
  const sessions = await Promise.all([1, 2, 3].map(() => session(here, bot)));
  await revoke(here, bot.id);
  const [event] = await here.sql<{ id: string }>(
    `select id from event where workspace_id = $1 and type = 'agent.revoked'`,
    [here.workspace.id],
  );
  const settle = (stopping: AbortSignal) => settleOf(background(here), here.workspace.id, [event!.id], stopping);
  await expect(settle(AbortSignal.abort())).rejects.toThrow();
  for (const one of sessions) expect(await read(here, one)).toMatchObject({ state: "running" });
  expect(await settle(new AbortController().signal)).toBe(3);
});

test("after a worker is killed in the middle and Redis loses everything, each session is cancelled once", async () => {
  const here = await world();
  const bot = await agent(here);
  await here.sql(
    `insert into agent_session (id, workspace_id, agent_id, state, title, plan, reopened, started_by, started_at,
                                last_activity_at, created_at, updated_at)
     select uuidv7(), $1, $2, 'running', 'Many', '[]', 0, $2, now(), now(), now(), now() from generate_series(1, 300)`,
    [here.workspace.id, bot.id],
  );
  const count = async (state: string) =>
    (
      await here.sql<{ n: number }>(
        `select count(*)::int as n from agent_session where workspace_id = $1 and state = $2`,
        [here.workspace.id, state],
      )
    )[0]!.n;
  await revoke(here, bot.id);
  const worker = await startProcess("worker", here.app.config);
  await expect.poll(() => count("cancelled"), { timeout: 30_000, interval: 5 }).toBeGreaterThan(0);
  await worker.kill();
  expect(await count("running")).toBeGreaterThan(0);
  const { config } = here.app;
  const redis = new Redis(config.REDIS_URL);
  const keys = await redis.keys(`${config.REDIS_PREFIX}*`);
  if (keys.length > 0) await redis.del(...keys);
  await redis.quit();
  await drain({ timeoutMs: 60_000 });
  expect(await count("cancelled")).toBe(300);
  const [events] = await here.sql(
    `select count(*)::int as n, count(distinct data ->> 'id')::int as sessions from event
     where workspace_id = $1 and type = 'agent_session.state_changed'`,
    [here.workspace.id],
  );
  expect(events).toEqual({ n: 300, sessions: 300 });
}, 120_000);

test("a stage of a workflow ends when its session is cancelled with the agent, or falls silent", async () => {
  const here = await world();
  for (const how of ["agent_revoked", "heartbeat_lost"] as const) {
    const bot = await agent(here);
    const id = await workflow(
      here,
      [
        { id: "work", kind: "agent", assignee_user_id: bot.id },
        { id: "done", kind: "end", config: { result: "done" } },
        { id: "lost", kind: "end", config: { result: "failed" } },
      ],
      [
        ["start", "work"],
        ["work", "done", "success"],
        ["work", "lost", "failure"],
      ],
    );
    const { key } = await issue(here);
    const { id: runId } = await start(here, key, id);
    const one = await session(here, bot, key, how === "agent_revoked" ? "review" : "running");
    await drain();
    const run = async () => (await here.owner.get(`W/workflow-runs/${runId}`).expect(200)).data;
    expect(nodeOf(await run(), "work")).toMatchObject({ state: "active", session_id: one.id });
    if (how === "agent_revoked") await revoke(here, bot.id);
    else {
      await here.sql(`update agent_session set last_activity_at = now() - interval '25 hours' where id = $1`, [one.id]);
      await sweep(here);
    }
    await drain();
    expect(await read(here, one)).toMatchObject({ state_reason: how });
    expect(statesOf(await run())).toMatchObject({ work: "failed, failure", lost: "done, failure" });
  }
});
