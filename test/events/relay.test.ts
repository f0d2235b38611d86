import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterEach, describe, expect, test } from "vitest";
import type { Config } from "../../src/config.ts";
import { freePort } from "../../src/dev/ports.ts";
import { openProcesses } from "../../src/dev/processes.ts";
import { startRedis } from "../../src/dev/redis.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { type RunningWorker, startWorker } from "../../src/start-worker.ts";
import { deliverWebhook } from "../../src/workers/delivery/deliver-webhook.ts";
import { sendEmail } from "../../src/workers/delivery/send-email.ts";
import { inheritedEnv } from "../support/compiled.ts";
import { drain } from "../support/jobs.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { addWebhook, deliveriesOf, emit } from "../support/webhooks.ts";
import { type World, world } from "../support/world.ts";

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
});

/** A workspace with a webhook for issues to a receiver of its own. */
async function listening(): Promise<{ here: World; there: Receiver; hook: { id: string } }> {
  const here = await world();
  const there = await startReceiver();
  cleanup.push(there.stop);
  return { here, there, hook: await addWebhook(here, { url: there.url, event_types: ["issue.*"] }) };
}

async function started(config: Config): Promise<RunningWorker> {
  const worker = await startWorker(config);
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= worker.stop();
    return stopped;
  };
  cleanup.push(stop);
  return { ...worker, stop };
}

const ids = ({ requests }: Receiver) => new Set(requests.map(({ headers }) => headers["webhook-id"]));
const nothingOwed = ({ sql }: World) =>
  sql<{ open: number }>(
    `select (select count(*) from outbox) + (select count(*) from reaction)
          + (select count(*) from webhook_delivery where state in ('pending', 'delivering')) as open`,
  ).then(([row]) => row?.open);

describe("the relay", () => {
  test("passes each event to its queues once, with any number of relays", async () => {
    const { here, there, hook } = await listening();
    const workers = await Promise.all([1, 2, 3].map(() => started(here.app.config)));
    const relayed = new Set<string>();
    for (let round = 0; round < 20; round++) {
      for (const id of await emit(here, "issue.created", { count: 60 })) relayed.add(id);
    }
    await there.waitFor(1200, { timeoutMs: 20_000 });
    await expect.poll(() => nothingOwed(here), { timeout: 5_000 }).toBe(0);
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(there.requests).toHaveLength(1200);
    expect(ids(there)).toEqual(relayed);
    expect(await deliveriesOf(here, hook)).toHaveLength(1200);
  });

  test("reacts to a hint long before its next poll", async () => {
    const { here, there } = await listening();
    await started(here.app.config);
    await emit(here, "issue.created");
    await there.waitFor(1);
    const waits: number[] = [];
    for (let round = 2; round <= 12; round++) {
      await sleep(50);
      const before = Date.now();
      await emit(here, "issue.created");
      await there.waitFor(round);
      waits.push((there.requests.at(-1)?.at ?? 0) - before);
    }
    expect(waits.sort((a, b) => a - b)[5]).toBeLessThan(200);
  });

  test("finds events without a hint", async () => {
    const { here, there } = await listening();
    await started(here.app.config);
    await sleep(200);
    const { ports } = here.app.resources;
    await emit(
      { ...here, app: { ...here.app, resources: { ...here.app.resources, ports: { ...ports, publish() {} } } } },
      "issue.created",
    );
    await there.waitFor(1, { timeoutMs: 3_000 });
  });

  test("may die before it adds the jobs of its deliveries: the sweep adds them", async () => {
    const { here, there, hook } = await listening();
    const [id] = await emit(here, "issue.created");
    await here.sql("delete from outbox");
    await here.sql(
      `insert into webhook_delivery (id, workspace_id, webhook_id, delivery_id, event_type, attempt, state, due_at, sequence, created_at)
       values (uuidv7(), $1, $2, $3, 'issue.created', 1, 'pending', now(), 1, now())`,
      [here.workspace.id, hook.id, id],
    );
    await drain();
    expect(ids(there)).toEqual(new Set([id]));
  });

  test("of the previous version may have taken an event: it is returned to the outbox and delivered", async () => {
    const { here, there } = await listening();
    const [id] = await emit(here, "issue.created");
    await here.sql("delete from outbox");
    await here.sql(
      "insert into reaction (event_id, queue, workspace_id, due_at) values ($1, 'match-webhooks', $2, now())",
      [id, here.workspace.id],
    );
    await started(here.app.config);
    await there.waitFor(1);
    expect(ids(there)).toEqual(new Set([id]));
    await expect.poll(() => nothingOwed(here)).toBe(0);
  });
});

describe("a job that fails for good", () => {
  test("is marked, not retried, and done when an operator retries it", async () => {
    const { here } = await listening();
    const worker = await started({ ...here.app.config, LOG_LEVEL: "silent" });
    const queue = worker.producer.open(sendEmail);
    const id = newId();
    await here.sql(
      `insert into mail (id, kind, recipient, content_sealed, created_at) values ($1, 'sign_in', 'a@b.test', 'v1.broken', now())`,
      [id],
    );
    await here.sql("insert into outbox (event_id, type) values ($1, 'mail.written')", [id]);

    const failedAt = () =>
      here.sql<{ failed_at: string | null }>("select failed_at from reaction").then(([row]) => row?.failed_at);
    await expect.poll(() => queue.promoteJobs().then(failedAt), { timeout: 10_000, interval: 50 }).toMatch(/^\d{4}/);
    expect(await queue.getFailedCount()).toBe(1);
    await here.sql("update reaction set due_at = now() - interval '1 hour'");
    await sleep(1_500);
    expect(await queue.getFailedCount()).toBe(1);

    await here.sql("update mail set state = 'sent' where id = $1", [id]);
    await (await queue.getJob(id))?.retry();
    await expect.poll(() => nothingOwed(here)).toBe(0);
  });

  test("is added again if its process died before it marked that", async () => {
    const { here } = await listening();
    const id = newId();
    await here.sql(
      `insert into mail (id, kind, recipient, content_sealed, created_at) values ($1, 'sign_in', 'a@b.test', 'v1.broken', now())`,
      [id],
    );
    await here.sql(`insert into reaction (event_id, queue, due_at) values ($1, 'send-email', now() + interval '1 h')`, [
      id,
    ]);
    const worker = await started({ ...here.app.config, LOG_LEVEL: "silent" });
    const queue = worker.producer.open(sendEmail);
    await queue.add(sendEmail.name, { workspace_id: null, event_id: id }, { jobId: id, removeOnFail: { count: 1000 } });
    await expect.poll(() => here.sql("select failed_at is null as due from reaction")).toEqual([{ due: false }]);
    expect(await queue.getFailedCount()).toBe(1);

    await here.sql("update mail set state = 'sent' where id = $1", [id]);
    await here.sql("update reaction set failed_at = null, due_at = now()");
    await expect.poll(() => nothingOwed(here), { timeout: 5_000 }).toBe(0);
    expect(await queue.getFailedCount()).toBe(0);
  });
});

describe("when Redis", () => {
  /** A Redis that may be killed and flushed. It comes back by itself, empty, when it dies. */
  async function privateRedis() {
    const folder = mkdtempSync(join(tmpdir(), "muster-relay-"));
    let running: Record<string, { pid: number }> = {};
    const processes = openProcesses(
      () => {},
      (now) => {
        running = now;
      },
    );
    cleanup.push(
      () => rmSync(folder, { recursive: true, force: true }),
      () => processes.stopAll(),
    );
    const url = await startRedis(processes, { folder, port: await freePort(), durable: false, say: () => {} });
    return { url, kill: () => process.kill(running.redis?.pid ?? 0, "SIGKILL") };
  }

  test("is flushed, every job comes back within seconds", async () => {
    const { here, there, hook } = await listening();
    const { url } = await privateRedis();
    const config = {
      ...here.app.config,
      REDIS_URL: url,
      SWEEP_SECONDS: 2,
      WEBHOOK_RETRY_SECONDS: [3],
      LOG_LEVEL: "silent" as const,
    };
    const worker = await started(config);
    const redis = new Redis(url);
    cleanup.push(() => redis.disconnect());
    // Some to be tried again later, some on their way, some waiting for a place, some not yet matched.
    there.answers(500, 500, 500, (_: IncomingMessage, response: ServerResponse) => {
      setTimeout(() => response.writeHead(204).end(), 50);
    });
    await emit(here, "issue.created", { count: 3 });
    await there.waitFor(3);
    await emit(here, "issue.created", { count: 100 });
    await there.waitFor(10);
    await redis.flushall();
    await emit(here, "issue.created", { count: 10 });

    await expect
      .poll(async () => (await deliveriesOf(here, hook)).filter(({ state }) => state === "succeeded").length, {
        timeout: 15_000,
      })
      .toBe(113);
    // Work of jobs that Redis lost is checked when it is due.
    await here.sql("update reaction set due_at = now()");
    await expect.poll(() => nothingOwed(here), { timeout: 5_000 }).toBe(0);
    await worker.stop();
  });

  test("dies and comes back empty, work continues", async () => {
    const { here, there } = await listening();
    const redis = await privateRedis();
    await started({ ...here.app.config, REDIS_URL: redis.url, LOG_LEVEL: "silent" });
    await emit(here, "issue.created");
    await there.waitFor(1);
    redis.kill();
    await emit(here, "issue.created", { count: 20 });
    await expect.poll(() => ids(there).size, { timeout: 20_000 }).toBe(21);
    await emit(here, "issue.created");
    await expect.poll(() => ids(there).size, { timeout: 5_000 }).toBe(22);
  });
});

test("when Postgres drops its connections, nothing is lost and no job fails", async () => {
  const { here, there, hook } = await listening();
  const worker = await started({ ...here.app.config, LOG_LEVEL: "silent" });
  there.delay(20);
  for (let round = 0; round < 5; round++) {
    await emit(here, "issue.created", { count: 40 });
    await there.waitFor(round * 40 + 5, { timeoutMs: 10_000 });
    await here.sql(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1",
      ["muster worker"],
    );
  }
  const succeeded = async () => (await deliveriesOf(here, hook)).filter(({ state }) => state === "succeeded").length;
  await expect.poll(succeeded, { timeout: 20_000 }).toBe(200);
  await here.sql("update reaction set due_at = now()");
  await expect.poll(() => nothingOwed(here), { timeout: 10_000 }).toBe(0);
  expect(await worker.producer.open(deliverWebhook).getFailedCount()).toBe(0);
  // An attempt whose end was being stored is stored again; only one whose commit was cut off is sent twice.
  expect(there.requests.length).toBeLessThanOrEqual(200 + 5 * 10);
});

describe("a worker", () => {
  /** Redis keys apart: jobs that a dead worker had in hand stay active until their locks end. */
  const apart = (here: World): World["app"] => ({
    ...here.app,
    config: { ...here.app.config, REDIS_PREFIX: `${here.app.config.REDIS_PREFIX}_${here.workspace.slug}` },
  });
  const processOf = ({ config }: World["app"], more: Record<string, string> = {}): ChildProcess => {
    const child = spawn(process.execPath, [join(import.meta.dirname, "../../src/worker.ts")], {
      env: {
        ...inheritedEnv(),
        NODE_ENV: "test",
        LOG_LEVEL: "error",
        HOST: config.HOST,
        DATABASE_URL: config.DATABASE_URL,
        REDIS_URL: config.REDIS_URL,
        REDIS_PREFIX: config.REDIS_PREFIX,
        WEBHOOK_ALLOW_LOOPBACK: "true",
        SWEEP_SECONDS: "1",
        ...more,
      },
      stdio: ["ignore", "inherit", "inherit"],
    });
    cleanup.push(() => child.kill("SIGKILL"));
    return child;
  };
  const exit = (child: ChildProcess) =>
    new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)));

  test("that is killed during deliveries loses none of them", async () => {
    const { here, there, hook } = await listening();
    there.delay(100);
    const events = await emit(here, "issue.created", { count: 200 });
    const app = apart(here);
    const child = processOf(app);
    await there.waitFor(25, { timeoutMs: 20_000 });
    const gone = exit(child);
    child.kill("SIGKILL");
    await gone;
    const cut = await here.sql("select 1 from webhook_delivery where state = 'delivering'");
    expect(cut.length).toBeGreaterThan(0);

    there.delay(0);
    // Leases and locks of the dead run out after half a minute; here that time has passed.
    await here.sql("update webhook_delivery set lease_until = now() where state = 'delivering'");
    await here.sql("update reaction set due_at = now()");
    await started(app.config);
    await expect
      .poll(async () => (await deliveriesOf(here, hook)).filter(({ state }) => state === "succeeded").length, {
        timeout: 20_000,
      })
      .toBe(200);
    expect(ids(there)).toEqual(new Set(events));
    // Ten may have been on their way, and as many answered and not stored yet.
    expect(there.requests.length).toBeLessThanOrEqual(200 + 20);
  }, 60_000);

  test("that is asked to stop finishes its current work and leaves the rest", async () => {
    const { here, there, hook } = await listening();
    there.delay(1_000);
    await emit(here, "issue.created", { count: 50 });
    const child = processOf(here.app);
    await there.waitFor(10, { timeoutMs: 20_000 });
    const gone = exit(child);
    const asked = Date.now();
    child.kill("SIGTERM");
    expect(await gone).toBe(0);
    expect(Date.now() - asked).toBeLessThan(5_000);
    const states = (await deliveriesOf(here, hook)).map(({ state }) => state);
    expect(states.filter((state) => state === "delivering")).toEqual([]);
    expect(states.filter((state) => state === "succeeded")).toHaveLength(there.requests.length);

    there.delay(0);
    await drain();
    expect(ids(there).size).toBe(50);
  }, 60_000);

  test("ends in ten seconds although a receiver does not answer", async () => {
    const { here, there } = await listening();
    there.delay(60_000);
    await emit(here, "issue.created");
    const child = processOf(apart(here), { STOP_SECONDS: "10" });
    await there.waitFor(1, { timeoutMs: 20_000 });
    const gone = exit(child);
    const asked = Date.now();
    child.kill("SIGTERM");
    await gone;
    expect(Date.now() - asked).toBeLessThan(10_000);
    await here.sql("update webhook set disabled_at = now(), disabled_reason = 'user' where workspace_id = $1", [
      here.workspace.id,
    ]);
    await here.sql("update webhook_delivery set lease_until = now() where state = 'delivering'");
  }, 60_000);

  test("serves its health to everyone and metrics to the operator", async () => {
    const { here, there } = await listening();
    there.answers(500, 204);
    const worker = await started({ ...here.app.config, WORKER_PORT: 0 });
    await emit(here, "issue.created");
    await there.waitFor(1);
    const at = (path: string, headers = {}) => fetch(`http://127.0.0.1:${worker.port}${path}`, { headers });
    expect((await at("/healthz")).status).toBe(200);
    expect((await at("/metrics")).status).toBe(401);
    expect((await at("/other")).status).toBe(404);
    const authorization = `Basic ${Buffer.from(`operator:${here.app.config.OPERATOR_PASSWORD}`).toString("base64")}`;
    const metrics = async () => (await at("/metrics", { authorization })).text();
    // The receiver has the message before the worker counts it.
    for (const line of [
      /^muster_job_results_total\{queue="deliver-webhook",result="failures"\} [1-9]/m,
      /^muster_job_duration_seconds_count\{queue="deliver-webhook",outcome="completed"\} [1-9]/m,
      /^muster_events_relayed_total [1-9]/m,
      /^muster_outbox_lag_seconds \d/m,
      /^muster_queue_depth\{queue="deliver-webhook"\} \d/m,
    ])
      await expect.poll(metrics).toMatch(line);
  });
});
