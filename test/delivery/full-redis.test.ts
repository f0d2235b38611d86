import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../src/dev/ports.ts";
import { openProcesses } from "../../src/dev/processes.ts";
import { startRedis } from "../../src/dev/redis.ts";
import { configure } from "../support/app.ts";
import { startProcess } from "../support/process.ts";
import { startReceiver } from "../support/receiver.ts";
import { addWebhook, emit } from "../support/webhooks.ts";
import { world } from "../support/world.ts";

/** A Redis that answers but rejects every write because its memory is full. */

const folder = mkdtempSync(join(tmpdir(), "muster-full-redis-"));
const nothing = () => {};
const servers = openProcesses(nothing, nothing);
let redis: Redis;

beforeAll(async () => {
  const url = await startRedis(servers, { folder, port: await freePort(), durable: false, say: nothing });
  redis = new Redis(url);
  configure({ REDIS_URL: url });
});

afterAll(async () => {
  redis.disconnect();
  await servers.stopAll();
  rmSync(folder, { recursive: true, force: true });
});

test("a worker survives a retry that Redis refuses, and makes it when there is room", async () => {
  const here = await world();
  const worker = await startProcess("worker", here.app.config, { WEBHOOK_RETRY_SECONDS: "1" });
  const receiver = await startReceiver();
  try {
    receiver.answers(
      async (_, response) => {
        await redis.config("SET", "maxmemory", "1");
        response.writeHead(500).end();
      },
      // The delivery continues while Redis rejects the retry.
      async (_, response) => {
        await sleep(1_000);
        response.writeHead(204).end();
        await redis.config("SET", "maxmemory", "0");
      },
      204,
    );
    await addWebhook(here, { url: receiver.url });
    const [first] = await emit(here, "issue.created", { count: 2 });
    await receiver.waitFor(3, { timeoutMs: 20_000 });
    expect(worker.child.exitCode).toBeNull();
    // Nothing that needs a person's attention.
    expect(worker.output()).toBe("");
    expect(receiver.requests[2]!.headers).toMatchObject({ "webhook-id": first, "x-webhook-attempt": "2" });
  } finally {
    await worker.kill();
    await receiver.stop();
  }
}, 60_000);
