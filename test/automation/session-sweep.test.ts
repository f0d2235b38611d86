import { expect, test } from "vitest";
import { startWorker } from "../../src/start-worker.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { agent, read, session, sweep } from "./sessions.ts";

/** Running sessions that have been silent for too long fail. */

const silentFor = (here: World, { id }: { id: string }, hours: number) =>
  here.sql(`update agent_session set last_activity_at = now() - $2 * interval '1 hour' where id = $1`, [id, hours]);

const FAILED = { state: "failed", state_reason: "heartbeat_lost", ended_at: expect.any(String) };

test("a running session fails after a day of silence; one that waits for people does not", async () => {
  const here = await world();
  const bot = await agent(here);
  const [silent, quiet] = [await session(here, bot), await session(here, bot)];
  const asks = await session(here, bot, undefined, "needs_input");
  const shown = await session(here, bot, undefined, "review");
  const person = await session(here, { client: await here.as({ role: "member" }) });
  for (const one of [silent, asks, shown, person]) await silentFor(here, one, 24.01);
  await silentFor(here, quiet, 23.9);
  await sweep(here, 0);
  expect(await read(here, silent)).toMatchObject({ state: "running", stalled: true });
  await sweep(here);
  for (const one of [silent, person]) expect(await read(here, one)).toMatchObject({ ...FAILED, stalled: false });
  expect(await read(here, quiet)).toMatchObject({ state: "running" });
  expect(await read(here, asks)).toMatchObject({ state: "needs_input" });
  expect(await read(here, shown)).toMatchObject({ state: "review" });
  expect((await here.owner.get(`P/issues/${silent.issue_key}`).expect(200)).data.active_session_ids).toEqual([]);

  // Its agent may go on.
  const path = `W/agent-sessions/${silent.id}`;
  expect((await bot.client.patch(path, {}).expect(200)).data).toMatchObject(FAILED);
  expect((await bot.client.patch(path, { state: "running" }).expect(200)).data).toMatchObject({
    ...{ state: "running", state_reason: null, ended_at: null, reopened: 1 },
  });
  await sweep(here);
  expect(await read(here, silent)).toMatchObject({ state: "running" });
});

test("a heartbeat that arrives with the sweep comes before it and counts, or after", async () => {
  const here = await world();
  const bot = await agent(here);
  for (let round = 0; round < 8; round++) {
    const one = await session(here, bot);
    await silentFor(here, one, 25);
    const [beat] = await Promise.all([bot.client.patch(`W/agent-sessions/${one.id}`, {}).expect(200), sweep(here)]);
    const after = await read(here, one);
    expect(after.state).toBe(beat.data.state);
    expect(after.last_activity_at).toBe(beat.data.last_activity_at);
    expect(["running", "failed"]).toContain(after.state);
  }
});

test("a heartbeat that holds the session when the sweep finds it keeps the session", async () => {
  const here = await world();
  const one = await session(here, await agent(here));
  await silentFor(here, one, 25);
  let swept: Promise<number> | undefined;
  await here.app.resources.database.transaction(async (tx) => {
    await tx.query({ text: "update agent_session set last_activity_at = now() where id = $1" }, [one.id]);
    swept ??= sweep(here);
    await expect
      .poll(async () => {
        const waiting = `select count(*)::int as n from pg_locks where not granted`;
        return (await here.sql<{ n: number }>(waiting))[0]!.n;
      })
      .toBeGreaterThan(0);
  });
  expect(await swept).toBe(0);
  expect(await read(here, one)).toMatchObject({ state: "running", state_reason: null });
});

test("the worker sweeps by the clock, also many sessions at once, each in a transaction of its own", async () => {
  const here = await world();
  const bot = await agent(here);
  const one = await session(here, bot);
  await here.sql(
    `insert into agent_session (id, workspace_id, agent_id, issue_id, project_id, state, title, plan, reopened, started_by,
                                started_at, last_activity_at, created_at, updated_at)
     select uuidv7(), $1, $2, null, $3, 'running', 'Many', '[]', 0, $2, now() - interval '2 days',
            now() - interval '25 hours', now(), now() from generate_series(1, 500)`,
    [here.workspace.id, bot.id, here.project.id],
  );
  const worker = await startWorker({ ...here.app.config, SWEEP_SECONDS: 0.1 });
  const left = async () =>
    (
      await here.sql<{ n: number }>(
        `select count(*)::int as n from agent_session where workspace_id = $1 and title = 'Many' and state = 'running'`,
        [here.workspace.id],
      )
    )[0]!.n;
  try {
    await expect.poll(left, { timeout: 60_000 }).toBe(0);
  } finally {
    await worker.stop();
  }
  await drain();
  expect(await read(here, one)).toMatchObject({ state: "running" });
  const [recorded] = await here.sql<{ events: number; at_once: number }>(
    `select sum(n)::int as events, max(n)::int as at_once from (
       select count(*) as n from event where workspace_id = $1 and type = 'agent_session.state_changed' group by xmin) t`,
    [here.workspace.id],
  );
  expect(recorded).toEqual({ events: 500, at_once: 1 });
});
