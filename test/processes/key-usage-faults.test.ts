import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { freePort } from "../../src/dev/ports.ts";
import { openProcesses } from "../../src/dev/processes.ts";
import { startRedis } from "../../src/dev/redis.ts";
import { startWeb } from "../../src/start-web.ts";
import { app, configure } from "../support/app.ts";
import { Client } from "../support/client.ts";
import { rollUpKeyUsageNow } from "../support/jobs.ts";
import { counted, keyIdOf, readUsage } from "../support/key-usage.ts";
import { type Process, startProcess } from "../support/process.ts";
import { type World, world } from "../support/world.ts";

/** Which calls of keys are counted after processes or Redis end, freeze, or lose their data. */

const folder = mkdtempSync(join(tmpdir(), "muster-key-usage-"));
const servers = openProcesses(
  () => {},
  () => {},
);
const running: Process[] = [];
let redisUrl = "";
beforeAll(async () => {
  redisUrl = await startRedis(servers, { folder, port: await freePort(), durable: true, say: () => {} });
  configure({ REDIS_URL: redisUrl });
});
afterEach(async () => {
  for (const process of running.splice(0)) await process.kill();
});
afterAll(async () => {
  await servers.stopAll();
  rmSync(folder, { recursive: true, force: true });
});

/** As long as a web process keeps counts. */
const FLUSH_MS = 1_000;

async function start(name: "web" | "worker", more: Record<string, string> = {}): Promise<Process> {
  const process = await startProcess(name, (await app()).config, more);
  running.push(process);
  return process;
}

/** A new key that calls a web process, the test's own one by default. */
async function caller(here: World, { url }: { url: string } = { url: here.app.baseUrl }) {
  const who = await here.keyFor(here.owner);
  const client = new Client(url, { W: `/v1/workspaces/${here.workspace.slug}` }, who);
  const call = async (times: number) => {
    for (let n = 0; n < times; n++) await client.get("W").expect(200);
  };
  return { id: await keyIdOf(here, who), call };
}

async function stop({ child }: Process) {
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  expect(await exit).toEqual([0, null]);
}

async function withRedis<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(redisUrl);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

const redisPid = () => withRedis(async (redis) => Number(/process_id:(\d+)/.exec(await redis.info("server"))![1]));

/** The calls of a key. They are not more a while later. */
async function callsOf(here: World, id: string, expected: number): Promise<number> {
  await counted(here, id, expected);
  await sleep(1.5 * FLUSH_MS);
  await rollUpKeyUsageNow();
  return (await readUsage(here, id)).totals.requests;
}

test("a web process that is killed loses the last second of counts, and one that stops loses none", async () => {
  const here = await world();
  const [killed, stopped] = await Promise.all([start("web"), start("web")]);
  const [one, two] = [await caller(here, killed), await caller(here, stopped)];
  await one.call(40);
  await sleep(3 * FLUSH_MS);
  await one.call(5);
  await killed.kill();
  await two.call(30);
  await stop(stopped);
  expect(await callsOf(here, two.id, 30)).toBe(30);
  const calls = await callsOf(here, one.id, 40);
  expect(calls).toBeGreaterThanOrEqual(40);
  expect(calls).toBeLessThanOrEqual(45);
}, 120_000);

test("a worker that is killed while it stores counts loses none and adds none twice", async () => {
  const here = await world();
  const web = await start("web");
  const one = await caller(here, web);
  await one.call(20);
  await sleep(1.5 * FLUSH_MS);
  const worker = await start("worker", { WORKER_QUEUES: "roll-up-key-usage" });
  // Calls go on while workers come and go.
  const calling = one.call(60);
  for (let n = 0; n < 3; n++) {
    await sleep(150);
    await rollUpKeyUsageNow();
  }
  await worker.kill();
  await calling;
  expect(await callsOf(here, one.id, 80)).toBe(80);
}, 120_000);

test("counts wait for a Redis that restarts, and none is lost", async () => {
  const here = await world();
  const one = await caller(here);
  await one.call(10);
  await sleep(1.5 * FLUSH_MS);
  await one.call(10);
  // It is started again after a moment.
  process.kill(await redisPid(), "SIGKILL");
  await one.call(10);
  await sleep(2 * FLUSH_MS);
  await one.call(10);
  expect(await callsOf(here, one.id, 40)).toBe(40);
}, 120_000);

test("a process that stops while Redis does not respond leaves its counts in Postgres", async () => {
  const here = await world();
  const web = await startWeb(here.app.config);
  const one = await caller(here, { url: `http://127.0.0.1:${web.port}` });
  await one.call(10);
  const pid = await redisPid();
  process.kill(pid, "SIGSTOP");
  try {
    // Redis gets this flush but does not respond. It adds it when it continues.
    await sleep(1.5 * FLUSH_MS);
    await one.call(3);
    await web.stop();
  } finally {
    process.kill(pid, "SIGCONT");
  }
  const kept = await here.sql("select number from api_key_usage_flush");
  expect(kept.length).toBeGreaterThan(0);
  expect(await callsOf(here, one.id, 13)).toBe(13);
  expect(await here.sql("select number from api_key_usage_flush")).toEqual([]);
}, 120_000);

test("an emptied Redis loses only counts that were not stored yet", async () => {
  const here = await world();
  const one = await caller(here);
  await one.call(10);
  expect(await callsOf(here, one.id, 10)).toBe(10);
  await withRedis((redis) => redis.flushall());
  await one.call(10);
  expect(await callsOf(here, one.id, 20)).toBe(20);
}, 120_000);
