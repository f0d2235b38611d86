import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import pg from "pg";
import { channelName } from "../src/adapters/publisher.ts";
import { readConfig } from "../src/config.ts";
import { newId } from "../src/domain/kernel/ids.ts";
import { COMMITTED } from "../src/domain/kernel/ports/ports.ts";
import { addWebhooks } from "./deliveries.ts";
import { type Bench, setUp } from "./setup.ts";

/**
 * What a committed event costs after the call: microseconds of CPU of the worker process, its connections to Postgres,
 * and Redis, by who listens and how many events a second are committed. What the idle worker uses is printed apart and
 * taken off.
 */

const SECONDS = Number(process.env.SECONDS ?? 6);
const RATES = (process.env.RATES ?? "100,400,1000").split(",").map(Number);

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 1 });
  const redis = new Redis(bench.env.REDIS_URL!);
  const pool = new pg.Pool({ connectionString: bench.env.DATABASE_URL!, max: 4 });
  try {
    const { child } = await bench.start("src/worker.ts", { LOG_LEVEL: "error" });
    const redisPid = Number(/process_id:(\d+)/.exec(await redis.info("server"))?.[1]);
    const meter = { bench, pid: child.pid!, redisPid };
    const hint = () =>
      void redis.publish(channelName(readConfig(bench.env).REDIS_PREFIX, COMMITTED), bench.ids.workspaceId);
    await sleep(4_000);
    const idle = await measure(meter, () => sleep(SECONDS * 1000));
    console.log(
      `events: microseconds of CPU an event (worker, its Postgres, Redis); statements of the worker a second`,
    );
    console.log(`  idle, a second: ${idle.worker} ${idle.postgres} ${idle.redis}; ${idle.statements} statements`);
    const listening = [
      ["nobody", async () => {}],
      ["a webhook to other types", () => addOther(bench)],
      [
        "a webhook",
        async () => {
          const { port } = await bench.start("bench/sink.ts");
          await addWebhooks(bench, `http://127.0.0.1:${port}`, 1);
        },
      ],
    ] as const;
    for (const [name, add] of listening) {
      await add();
      for (const rate of RATES) {
        let events = 0;
        const used = await measure(meter, async () => {
          events = await record(pool, bench, rate, hint);
        });
        const cost = (kind: "worker" | "postgres" | "redis") =>
          Math.round(((used[kind] - idle[kind]) * SECONDS) / events);
        const [worker, postgres, ofRedis] = [cost("worker"), cost("postgres"), cost("redis")];
        const [left] = await bench.sql("select (select count(*) from outbox)::int as outbox");
        console.log(
          `  ${name.padEnd(26)} ${String(Math.round(events / SECONDS)).padStart(5)}/s  ${worker + postgres + ofRedis}  (${worker} ${postgres} ${ofRedis}); ${used.statements}; outbox ${left?.outbox}`,
        );
        await sleep(1_500);
      }
    }
  } finally {
    redis.disconnect();
    await pool.end();
    await bench.stop();
  }
}

type Meter = { bench: Bench; pid: number; redisPid: number };

async function sample({ bench, pid, redisPid }: Meter) {
  const backends = await bench.sql("select pid from pg_stat_activity where application_name = 'muster worker'");
  const [{ commits }] = (await bench.sql(
    "select sum(xact_commit)::int as commits from pg_stat_database where datname = current_database()",
  )) as [{ commits: number }];
  return {
    worker: cpuOf(pid),
    redis: cpuOf(redisPid),
    statements: commits,
    backends: new Map(backends.map(({ pid }) => [pid as number, cpuOf(pid as number)])),
  };
}

/** CPU a second, in microseconds. */
async function measure(meter: Meter, work: () => Promise<unknown>) {
  const before = await sample(meter);
  await work();
  const after = await sample(meter);
  let postgres = 0;
  for (const [pid, used] of after.backends) postgres += used - (before.backends.get(pid) ?? 0);
  const aSecond = (used: number) => Math.round((used * 1e6) / SECONDS);
  return {
    worker: aSecond(after.worker - before.worker),
    postgres: aSecond(postgres),
    redis: aSecond(after.redis - before.redis),
    statements: Math.round((after.statements - before.statements) / SECONDS),
  };
}

/** Seconds of CPU of a process. Schedstat is more precise than the ticks of stat. */
function cpuOf(pid: number): number {
  let sum = 0;
  for (const task of tasksOf(pid))
    sum += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]) / 1e9;
  return sum;
}

import { readdirSync } from "node:fs";

const tasksOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
};

async function record(pool: pg.Pool, { ids }: Bench, rate: number, hint: () => void): Promise<number> {
  let events = 0;
  const start = performance.now();
  const pending = new Set<Promise<void>>();
  while (performance.now() - start < SECONDS * 1000) {
    const due = Math.floor(((performance.now() - start) / 1000) * rate);
    for (; events < due && pending.size < 64; events++) {
      const id = newId();
      const one = pool
        .query({ name: "record", text: RECORD, values: [id, ids.workspaceId, ids.projectId, dataOf(id, ids)] })
        .then(hint)
        .finally(() => pending.delete(one));
      pending.add(one);
    }
    await sleep(1);
  }
  await Promise.all(pending);
  return events;
}

const dataOf = (id: string, ids: Bench["ids"]) =>
  JSON.stringify({
    id,
    key: "WEB-1",
    number: 1,
    title: "Export fails for large boards",
    type: "bug",
    priority: "high",
    status: "todo",
    description_md: "The quick brown fox jumps over the lazy dog. ".repeat(10),
    assignee_ids: [ids.userId],
    label_ids: [],
    reporter_id: ids.userId,
    project_id: ids.projectId,
    mentions: [],
    sprint_id: null,
    created_at: "2026-01-01T00:00:00Z",
  });

const RECORD = `
  with written as (
    insert into event (id, workspace_id, project_id, issue_id, type, actor_kind, cause, data, created_at)
    values ($1, $2, $3, $1, 'issue.created', 'user', '{}', $4, now()) returning id, workspace_id, type)
  insert into outbox (event_id, workspace_id, type) select id, workspace_id, type from written`;

async function addOther({ sql, ids }: Bench) {
  await sql(
    `insert into webhook (id, workspace_id, url, event_types, secret_sealed, secret_prefix, created_by, created_at, updated_at)
     values ($1, $2, 'http://127.0.0.1:9/', '{sprint.*}', 'v1.x', 'whsec_', $3, now(), now())`,
    [newId(), ids.workspaceId, ids.userId],
  );
}

if (import.meta.main) await run();
