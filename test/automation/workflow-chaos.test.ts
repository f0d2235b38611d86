import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { freePort } from "../../src/dev/ports.ts";
import { startPostgres } from "../../src/dev/postgres.ts";
import { openProcesses } from "../../src/dev/processes.ts";
import { startRedis } from "../../src/dev/redis.ts";
import { migrate } from "../../src/migrate.ts";
import { configure } from "../support/app.ts";
import { type Process, startProcess } from "../support/process.ts";
import { type World, world } from "../support/world.ts";
import { workflow } from "./flows.ts";

/**
 * Runs of workflows while workers are killed, Redis is flushed and Postgres dies: all of them end, and each effect is
 * there once.
 */

/** WORKFLOW_RUNS=1000 for the whole test, which takes minutes. */
const RUNS = Number(process.env.WORKFLOW_RUNS ?? 40);
const KILL_EVERY_MS = 3_000;
const ENOUGH_MS = 60_000 + RUNS * 1_500;

const folder = mkdtempSync(join(tmpdir(), "muster-chaos-"));
let pids: Record<string, { pid: number }> = {};
const processes = openProcesses(
  () => {},
  (running) => {
    pids = running;
  },
);
let redisUrl = "";

beforeAll(async () => {
  const options = { folder, durable: true, say: () => {} };
  const databaseUrl = await startPostgres(processes, { ...options, port: await freePort() });
  redisUrl = await startRedis(processes, { ...options, durable: false, port: await freePort() });
  await migrate(readConfig({ NODE_ENV: "test", LOG_LEVEL: "silent", DATABASE_URL: databaseUrl }));
  configure({ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl });
}, 120_000);

afterAll(async () => {
  for (const worker of workers) await worker.kill();
  await processes.stopAll();
  rmSync(folder, { recursive: true, force: true });
});

const workers: Process[] = [];

const comment = (text: string) => ({ type: "add_comment", comment: text });
const chaotic = (here: World) =>
  workflow(
    here,
    [
      {
        id: "first",
        kind: "action",
        config: { actions: [{ type: "set_priority", priority: "high" }, comment("one")] },
      },
      { id: "fork", kind: "parallel" },
      { id: "left", kind: "action", config: { actions: [comment("two"), comment("three")] } },
      { id: "right", kind: "action", config: { actions: [comment("four")] } },
      { id: "join", kind: "parallel" },
      { id: "last", kind: "action", config: { actions: [comment("five")] } },
      { id: "end", kind: "end", config: { set_status: "done" } },
    ],
    [
      ["start", "first"],
      ["first", "fork"],
      ["fork", "left"],
      ["fork", "right"],
      ["left", "join"],
      ["right", "join"],
      ["join", "last"],
      ["last", "end"],
    ],
  );

test(`${RUNS} runs end, and each effect is there once, whatever dies`, { timeout: ENOUGH_MS + 120_000 }, async () => {
  const here = await world();
  const flow = await chaotic(here);
  for (let at = 0; at < RUNS; at += 10) {
    await Promise.all(Array.from({ length: Math.min(10, RUNS - at) }, () => begin(here, flow)));
  }
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  redis.on("error", () => {});
  const { config } = here.app;
  const startWorker = async () => workers.push(await startProcess("worker", config, { SWEEP_SECONDS: "2" }));
  await startWorker();
  await startWorker();

  const left = async () => {
    const rows = await here
      .sql<{ count: number }>("select count(*)::int as count from workflow_run where status = 'running'")
      .catch(() => []);
    return rows[0]?.count ?? RUNS;
  };
  const end = Date.now() + ENOUGH_MS;
  const until = async (most: number, ms: number) => {
    for (const next = Date.now() + ms; Date.now() < next; await sleep(50)) {
      const open = await left();
      if (open <= most) return;
      expect(Date.now(), `${open} runs are left`).toBeLessThan(end);
    }
  };
  await until(RUNS * 0.95, ENOUGH_MS);
  await redis.flushall();
  await until(RUNS * 0.85, ENOUGH_MS);
  process.kill(pids.postgres!.pid, "SIGKILL");
  expect(await left()).toBeGreaterThan(0);
  while ((await left()) > 0) {
    await workers.shift()!.kill();
    await startWorker().catch(() => sleep(1_000).then(startWorker));
    await until(0, KILL_EVERY_MS);
  }
  redis.disconnect();
  await expectEffectsOnce(here);
});

async function begin({ owner }: World, flow: string): Promise<void> {
  const { data } = await owner.post("P/issues", { title: "Target" }).expect(201);
  await owner.post(`P/issues/${data.key}/workflow`, { workflow_id: flow }).expect(201);
}

async function expectEffectsOnce({ sql, workspace }: World): Promise<void> {
  const of = [workspace.id];
  const runs = await sql("select status, count(*)::int from workflow_run where workspace_id = $1 group by 1", of);
  expect(runs).toEqual([{ status: "completed", count: RUNS }]);
  const issues = await sql(
    "select priority, status, count(*)::int from issue where workspace_id = $1 and active_workflow_run_id is null group by 1, 2",
    of,
  );
  expect(issues).toEqual([{ priority: "high", status: "done", count: RUNS }]);
  const comments = await sql<{ body_md: string; count: number; issues: number }>(
    `select body_md, count(*)::int, count(distinct issue_id)::int as issues from comment where workspace_id = $1
     group by 1 order by 1`,
    of,
  );
  const texts = ["five", "four", "one", "three", "two"];
  expect(comments).toEqual(texts.map((body_md) => ({ body_md, count: RUNS, issues: RUNS })));
  const events = await sql<{ type: string; count: number }>(
    `select type, count(*)::int from event where workspace_id = $1 and type in
       ('workflow_run.started', 'workflow_run.completed', 'workflow_run.failed', 'issue.status_changed') group by 1 order by 1`,
    of,
  );
  expect(events.map(({ type, count }) => `${type} ${count}`)).toEqual([
    `issue.status_changed ${RUNS}`,
    `workflow_run.completed ${RUNS}`,
    `workflow_run.started ${RUNS}`,
  ]);
}
