import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
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
 * What a committed event costs after its call: microseconds of CPU of the worker process, its connections to Postgres, and
 * Redis, by who listens and how many events a second are committed. What the idle worker uses is printed apart and taken
 * off. For webhooks also the time from the commit to the receiver.
 */

const SECONDS = Number(process.env.SECONDS ?? 6);
const RATES = (process.env.RATES ?? "100,400,1000").split(",").map(Number);
const WARM_UP_MS = 2_000;
/** Events that may be on their way to Postgres at a time. */
const AT_ONCE = 64;

type Meter = { bench: Bench; worker: number; redis: number };
type Source = { bench: Bench; pool: pg.Pool; hint: () => void; committed: Map<string, number> };

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 1 });
  const redis = new Redis(bench.env.REDIS_URL!);
  const pool = new pg.Pool({ connectionString: bench.env.DATABASE_URL!, max: 4 });
  const channel = channelName(readConfig(bench.env).REDIS_PREFIX, COMMITTED);
  const hint = () => void redis.publish(channel, bench.ids.workspaceId);
  const source: Source = { bench, pool, hint, committed: new Map() };
  const receiver = await startReceiver(source.committed);
  try {
    const { child } = await bench.start("src/worker.ts");
    const meter = { bench, worker: child.pid!, redis: Number(/process_id:(\d+)/.exec(await redis.info("server"))![1]) };
    await sleep(4_000);
    const idle = await measure(meter, () => sleep(SECONDS * 1000));
    console.log("events: CPU an event in microseconds: worker + its Postgres + Redis; transactions a second of all");
    console.log(`  idle, a second ${idle.worker} + ${idle.postgres} + ${idle.redis}; ${idle.transactions}`);
    const listening: [string, () => Promise<void>][] = [
      ["nobody listens", async () => {}],
      ["a webhook to other types", () => addWebhooks(bench, receiver.url, 2)],
      ["a webhook", () => addWebhooks(bench, receiver.url, 1)],
    ];
    for (const [name, add] of listening) {
      await add();
      for (const rate of RATES) {
        await record(source, rate, WARM_UP_MS);
        receiver.waits.length = 0;
        let events = 0;
        const used = await measure(meter, async () => {
          events = await record(source, rate, SECONDS * 1000);
        });
        const [worker, postgres, ofRedis] = (["worker", "postgres", "redis"] as const).map((kind) =>
          Math.max(0, Math.round(((used[kind] - idle[kind]) * SECONDS) / events)),
        ) as [number, number, number];
        const [left] = await bench.sql("select count(*)::int as outbox from outbox");
        console.log(
          `  ${name.padEnd(25)}${String(Math.round(events / SECONDS)).padStart(5)}/s ${String(worker + postgres + ofRedis).padStart(5)} = ${worker} + ${postgres} + ${ofRedis}; ${used.transactions}; outbox ${left?.outbox}${latencies(receiver.waits)}`,
        );
        await sleep(1_500);
      }
    }
  } finally {
    redis.disconnect();
    await pool.end();
    await bench.stop();
    receiver.server.close();
    receiver.server.closeAllConnections();
  }
}

/** Receives messages, and notes how long after the commit of their events. */
async function startReceiver(committed: Map<string, number>) {
  const waits: number[] = [];
  const server: Server = createServer((request, response) => {
    request.resume().on("end", () => {
      const at = committed.get(String(request.headers["webhook-id"]));
      if (at !== undefined) waits.push(performance.now() - at);
      response.writeHead(204).end();
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  return { server, waits, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}` };
}

function latencies(waits: readonly number[]): string {
  if (waits.length === 0) return "";
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]!.toFixed(1);
  return `; commit to receiver median ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

/** CPU a second, in microseconds. */
async function measure(meter: Meter, work: () => Promise<unknown>) {
  const before = await sample(meter);
  await work();
  const after = await sample(meter);
  let postgres = 0;
  for (const [pid, used] of after.backends) postgres += used - (before.backends.get(pid) ?? 0);
  const aSecond = (seconds: number) => Math.round((seconds * 1e6) / SECONDS);
  return {
    worker: aSecond(after.worker - before.worker),
    postgres: aSecond(postgres),
    redis: aSecond(after.redis - before.redis),
    transactions: Math.round((after.commits - before.commits) / SECONDS),
  };
}

async function sample({ bench, worker, redis }: Meter) {
  const backends = await bench.sql("select pid from pg_stat_activity where application_name = 'muster worker'");
  const [database] = await bench.sql(
    "select xact_commit::int as commits from pg_stat_database where datname = current_database()",
  );
  return {
    worker: cpuOf(worker),
    redis: cpuOf(redis),
    commits: Number(database?.commits),
    backends: new Map(backends.map(({ pid }) => [Number(pid), cpuOf(Number(pid))])),
  };
}

/** Seconds of CPU of a process. `schedstat` is more precise than the ticks of `stat`. */
function cpuOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const used = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return used.reduce((sum, one) => sum + one, 0) / 1e9;
}

/** Commits events at an even rate for a while. Returns how many. */
async function record({ bench, pool, hint, committed }: Source, rate: number, ms: number): Promise<number> {
  const { workspaceId, projectId } = bench.ids;
  let events = 0;
  const start = performance.now();
  const pending = new Set<Promise<void>>();
  while (performance.now() - start < ms) {
    const due = Math.floor(((performance.now() - start) / 1000) * rate);
    for (; events < due && pending.size < AT_ONCE; events++) {
      const id = newId();
      const written = pool.query({
        name: "record",
        text: RECORD,
        values: [id, workspaceId, projectId, dataOf(id, bench)],
      });
      const one = written
        .then(() => {
          committed.set(id, performance.now());
          hint();
        })
        .finally(() => pending.delete(one));
      pending.add(one);
    }
    await sleep(1);
  }
  await Promise.all(pending);
  return events;
}

const dataOf = (id: string, { ids }: Bench): string =>
  JSON.stringify({
    ...{ id, key: "WEB-1", number: 1, title: "Export fails for large boards", type: "bug", priority: "high" },
    description_md: "The quick brown fox jumps over the lazy dog. ".repeat(10),
    ...{ status: "todo", assignees: [ids.userId], labels: [], reporter_id: ids.userId, project_id: ids.projectId },
    ...{ mentions: [], sprint_id: null, created_at: "2026-01-01T00:00:00.000Z" },
  });

const RECORD = `
  with written as (
    insert into event (id, workspace_id, project_id, issue_id, type, actor_kind, cause, data, created_at)
    values ($1, $2, $3, $1, 'issue.created', 'user', '{}', $4, now()) returning id, workspace_id, type)
  insert into outbox (event_id, workspace_id, type) select id, workspace_id, type from written`;

if (import.meta.main) await run();
