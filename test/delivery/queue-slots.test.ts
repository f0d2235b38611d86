import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { expect, inject, test } from "vitest";
import { z } from "zod";
import type { Background } from "../../src/domain/events/background.ts";
import { openProducer } from "../../src/queues/producer.ts";
import { defineQueue } from "../../src/queues/queue.ts";
import { startWorkers } from "../../src/workers/run.ts";
import { serve } from "../../src/workers/worker.ts";

/** What Redis answers arrives so much later: as much as between two regions. */
const LATER_MS = 25;
const SLOTS = 200;

/** A proxy before Redis that keeps every answer for a while. */
async function startSlowRedis(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const redis = connect({ host: hostname, port: Number(port), noDelay: true });
    for (const socket of [client, redis]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    client.on("data", (bytes) => redis.write(bytes));
    client.on("close", () => redis.destroy());
    redis.on("data", (bytes) => setTimeout(() => client.write(bytes), LATER_MS));
    redis.on("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const slow = new URL(url);
  slow.port = String((server.address() as AddressInfo).port);
  return {
    url: slow.toString(),
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test("with many jobs and a slow Redis, the first ones run long before all are fetched, and each runs once", async () => {
  const slow = await startSlowRedis(inject("stack").redisUrl);
  const connection = new Redis(slow.url, { maxRetriesPerRequest: null }).on("error", () => {});
  const queue = defineQueue("many", { payload: z.object({}), retry: [], concurrency: SLOTS });
  const onError = (error: Error) => expect.soft(error).toBeNull();
  const options = { connection, prefix: `slots-${process.pid}`, onError };
  const producer = openProducer([queue.name], options);
  const jobs = Array.from({ length: SLOTS }, (_, n) => ({ id: `job-${n}`, payload: {} }));
  await producer.add(queue, jobs);

  const runs: { id: string; at: number }[] = [];
  const began = performance.now();
  const say = () => {};
  const log = { debug: say, info: say, warn: say, error: say };
  const workers = startWorkers(
    [
      serve(queue, async (_, __, { id }) => {
        runs.push({ id, at: performance.now() - began });
        await sleep(6_000);
        return undefined;
      }),
    ],
    {
      ...options,
      producer,
      queues: [queue],
      processId: "",
      livedSince: () => true,
      context: () => ({ log }) as unknown as Background,
      concurrency: {},
      isUnavailable: () => false,
      log,
    },
  );
  try {
    await expect.poll(() => runs.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(SLOTS);
    expect(runs[0]!.at).toBeLessThan((SLOTS / 2) * LATER_MS);
    expect(new Set(runs.map(({ id }) => id)).size).toBe(runs.length);
  } finally {
    await workers.stop(0);
    await producer.close();
    connection.disconnect();
    slow.stop();
  }
}, 60_000);
