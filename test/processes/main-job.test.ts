import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Config } from "../../src/config.ts";
import { freePort } from "../../src/dev/ports.ts";
import { openProcesses } from "../../src/dev/processes.ts";
import { startRedis } from "../../src/dev/redis.ts";
import { configure } from "../support/app.ts";
import { inheritedEnv } from "../support/compiled.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { world } from "../support/world.ts";

/** The whole path with real processes: 200 issues through the API, all delivered and signed, whatever dies. */

const folder = mkdtempSync(join(tmpdir(), "muster-main-job-"));
const processes = openProcesses(
  () => {},
  () => {},
);
let redisUrl = "";

beforeAll(async () => {
  // A Redis of its own, for it will be flushed.
  redisUrl = await startRedis(processes, { folder, port: await freePort(), durable: false, say: () => {} });
  configure({ REDIS_URL: redisUrl });
});

const running: ChildProcess[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) await kill(child);
});
afterAll(async () => {
  await processes.stopAll();
  rmSync(folder, { recursive: true, force: true });
});

function startWorker(config: Config): ChildProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../../src/worker.ts")], {
    env: {
      ...inheritedEnv(),
      NODE_ENV: "test",
      LOG_LEVEL: "error",
      DATABASE_URL: config.DATABASE_URL,
      REDIS_URL: config.REDIS_URL,
      REDIS_PREFIX: config.REDIS_PREFIX,
      WEBHOOK_ALLOW_LOOPBACK: "true",
      SWEEP_SECONDS: "2",
    },
    stdio: "inherit",
  });
  running.push(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

/** Titles of the issues whose creation arrived with a valid signature. */
function delivered(receiver: Receiver, secret: string): Set<string> {
  const verifier = new Webhook(secret);
  return new Set(
    receiver.requests.map(({ headers, body }) => {
      const message = verifier.verify(body, headers as Record<string, string>) as { data: { title: string } };
      return message.data.title;
    }),
  );
}

async function createAndDeliver(disturb: (config: Config, worker: ChildProcess) => Promise<void>): Promise<void> {
  const { owner, app } = await world();
  const receiver = await startReceiver();
  try {
    receiver.delay(20);
    const { data: hook } = await owner
      .post("W/webhooks", { url: receiver.url, event_types: ["issue.created"] })
      .expect(201);
    const worker = startWorker(app.config);
    const wanted = Array.from({ length: 200 }, (_, n) => `Issue ${n}`);
    for (let from = 0; from < 200; from += 50) {
      const items = wanted.slice(from, from + 50).map((title) => ({ title }));
      await owner.post("P/issues/bulk", { items }).expect(201);
    }
    await receiver.waitFor(40, { timeoutMs: 20_000 });
    expect(receiver.requests.length).toBeLessThan(200);
    await disturb(app.config, worker);
    await expect.poll(() => delivered(receiver, hook.secret).size, { timeout: 60_000, interval: 250 }).toBe(200);
    expect(delivered(receiver, hook.secret)).toEqual(new Set(wanted));
  } finally {
    await receiver.stop();
  }
}

test("every delivery arrives although the worker is killed in the middle and started again", async () => {
  await createAndDeliver(async (config, worker) => {
    await kill(worker);
    startWorker(config);
  });
}, 90_000);

test("every delivery arrives within 30 s although Redis is flushed in the middle", async () => {
  const redis = new Redis(redisUrl);
  let flushed = 0;
  await createAndDeliver(async () => {
    await redis.flushall();
    flushed = Date.now();
  });
  expect(Date.now() - flushed).toBeLessThan(30_000);
  redis.disconnect();
}, 90_000);
