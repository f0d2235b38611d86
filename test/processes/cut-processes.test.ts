import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { QUEUE_NAMES } from "../../src/queues/index.ts";
import { Client, type Reply } from "../support/client.ts";
import {
  type CuttingProxy,
  FAULT_KINDS,
  type Fault,
  POSTGRES_FAREWELL,
  startCuttingProxy,
} from "../support/cutting-proxy.ts";
import { type Process, startProcess } from "../support/process.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { type World, world } from "../support/world.ts";

/**
 * A web and a worker process under load, behind proxies that cut, join and delay what Postgres and Redis send them:
 * during start-up, statements and transactions, rate limits, blocking commands, scripts and subscriptions.
 */

let here: World;
let receiver: Receiver;
let web: Process;
let worker: Process;
let client: Client;
const proxies: Record<"webPostgres" | "webRedis" | "workerPostgres" | "workerRedis", CuttingProxy> = {} as never;

beforeAll(async () => {
  here = await world();
  receiver = await startReceiver();
  await here.owner.post("W/webhooks", { url: receiver.url, event_types: ["issue.created"] }).expect(201);
  const { config } = here.app;
  for (const name of ["web", "worker"] as const) {
    proxies[`${name}Postgres`] = await startCuttingProxy(config.DATABASE_URL, POSTGRES_FAREWELL);
    proxies[`${name}Redis`] = await startCuttingProxy(config.REDIS_URL);
  }
  const through = (name: "web" | "worker") => ({
    DATABASE_URL: proxies[`${name}Postgres`].url,
    REDIS_URL: proxies[`${name}Redis`].url,
    DATABASE_POOL: "4",
    OPERATOR_PASSWORD: PASSWORD,
  });
  [web, worker] = await Promise.all([
    startProcess("web", config, through("web")),
    startProcess("worker", config, through("worker")),
  ]);
  const key = await here.keyFor(here.owner, { rateLimit: 1_000_000 });
  const W = `/v1/workspaces/${here.workspace.slug}`;
  client = new Client(web.url, { W, P: `${W}/projects/${here.project.key}` }, key);
}, 60_000);

afterAll(async () => {
  await Promise.all([web, worker].map((one) => one?.kill()));
  await Promise.all(Object.values(proxies).map((proxy) => proxy.stop()));
  await receiver?.stop();
});

const PASSWORD = "operator-password";
const console = () =>
  fetch(`${web.url}/admin/queues/api/queues`, {
    headers: { authorization: `Basic ${Buffer.from(`operator:${PASSWORD}`).toString("base64")}` },
  });

/** Connections of a worker to Redis: two for each queue, and a few others. */
const WORKER_CONNECTIONS = 2 * QUEUE_NAMES.length + 4;

/** So many faults of all kinds, after bytes that are spread over `most`. */
function faults(count: number, most: number): Fault[] {
  const start = Math.floor(Math.random() * most);
  return Array.from({ length: count }, (_, n) => ({
    after: (start + n * 613) % most,
    kind: FAULT_KINDS[n % FAULT_KINDS.length]!,
    ms: FAULT_KINDS[n % FAULT_KINDS.length] === "delay" ? 400 : 15,
  }));
}

/** Calls until it is told to stop, and tallies what it was answered. */
function startLoad() {
  const statuses = new Map<string, number>();
  const titles: string[] = [];
  let going = true;
  const note = (what: string, { status, text }: Reply) => {
    const name = `${what} ${status}`;
    statuses.set(name, (statuses.get(name) ?? 0) + 1);
    // Nothing else is right, whatever happens to the stores.
    const right = what === "GET" ? [200, 503] : [201, 429, 503];
    expect(right, `${name}: ${text}`).toContain(status);
    return status;
  };
  const read = async () => {
    while (going) {
      const reply = await client.get("/v1/me");
      if (note("GET", reply) === 200) expect(reply.data.user.id).toBe(here.owner.userId);
      await sleep(5);
    }
  };
  const write = async () => {
    while (going) {
      const title = `Issue ${titles.length}`;
      titles.push(title);
      // As a good client does: again under the same key, until it is told how it ended.
      const call = () => client.post("P/issues", { title }, { headers: { "idempotency-key": title } });
      while (note("POST", await call()) !== 201) await sleep(20);
      await sleep(5);
    }
  };
  const look = async () => {
    while (going) {
      const started = Date.now();
      expect([200, 503]).toContain((await console()).status);
      expect(Date.now() - started).toBeLessThan(8_000);
      await sleep(100);
    }
  };
  const running = Promise.all([read(), read(), write(), write(), look()]);
  running.catch(() => {});
  return {
    statuses,
    async stop() {
      going = false;
      await running;
      return titles;
    },
  };
}

const delivered = () => new Set<string>(receiver.requests.map(({ json }) => json.data.title));
const errorsOf = ({ output }: Process) =>
  output()
    .split("\n")
    .filter((line) => line.includes('"level":50'));

test("web and worker survive every cut, join and delay of their connections, without losses or duplicates", async () => {
  const load = startLoad();
  proxies.webPostgres.plan(faults(220, 2_500));
  proxies.workerPostgres.plan(faults(60, 2_500));
  proxies.webRedis.plan(faults(60, 8_000));
  const taken = () => Object.values(proxies).map((proxy) => proxy.taken());
  const end = Date.now() + 30_000;
  for (let round = 0; Date.now() < end; round++) {
    // The worker's connections get some 5,000 bytes at their start and then few. So faults come in turns, each with a
    // fault for every connection: soon for those that are open, or later for those that are opened.
    // In between it has to work, or Postgres would hear nothing of it.
    if (round % 50 === 0) proxies.workerRedis.plan(faults(WORKER_CONNECTIONS, round % 100 === 0 ? 1_000 : 6_000));
    await sleep(100);
    expect([web.child.exitCode, worker.child.exitCode]).toEqual([null, null]);
  }
  for (const proxy of Object.values(proxies)) proxy.plan([]);
  const [webPostgres, webRedis, workerPostgres, workerRedis] = taken();
  expect(webPostgres).toBeGreaterThan(60);
  expect(workerPostgres).toBeGreaterThan(10);
  expect(webRedis).toBeGreaterThan(5);
  expect(workerRedis).toBeGreaterThan(60);

  const titles = await load.stop();
  expect(load.statuses.get("GET 503")).toBeGreaterThan(0);
  expect(load.statuses.get("POST 503")).toBeGreaterThan(0);
  // A connection may have its fault still before it.
  await expect
    .poll(async () => (await Promise.all(Array.from({ length: 8 }, () => client.get("/v1/me")))).map((r) => r.status))
    .toEqual(Array(8).fill(200));
  const stored = await here.sql<{ title: string }>(
    "select title from issue where workspace_id = $1 and title like 'Issue %'",
    [here.workspace.id],
  );
  expect(stored.map(({ title }) => title).sort()).toEqual([...titles].sort());
  const arrived = () => [...delivered()].filter((title) => title.startsWith("Issue ")).length;
  await expect.poll(arrived, { timeout: 30_000 }).toBe(titles.length);

  expect([web.child.exitCode, worker.child.exitCode]).toEqual([null, null]);
  // All of this is foreseen.
  expect(errorsOf(web)).toEqual([]);
  expect(errorsOf(worker)).toEqual([]);
}, 120_000);

test("connections that stay silent are replaced, and meanwhile nothing waits for Redis", async () => {
  expect((await console()).status).toBe(200);
  for (const proxy of [proxies.webRedis, proxies.workerRedis]) proxy.freeze();
  await client.post("P/issues", { title: "Into the silence" }).expect(201);
  const started = Date.now();
  expect([200, 503]).toContain((await console()).status);
  await client.get("/v1/me").expect(200);
  expect(Date.now() - started).toBeLessThan(7_000);

  // Postgres gets the time that a statement may take. Until then the worker and the queues do not need the web process's.
  proxies.webPostgres.freeze();
  await Promise.all([
    expect.poll(() => delivered().has("Into the silence"), { timeout: 25_000 }).toBe(true),
    expect.poll(async () => (await console()).status, { timeout: 25_000 }).toBe(200),
    expect
      .poll(
        async () => (await Promise.all(Array.from({ length: 8 }, () => client.get("/v1/me")))).map((r) => r.status),
        {
          timeout: 45_000,
        },
      )
      .toEqual(Array(8).fill(200)),
  ]);
  await client.post("P/issues", { title: "After the silence" }).expect(201);
}, 120_000);
