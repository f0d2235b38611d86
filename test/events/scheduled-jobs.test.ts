import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { QUEUE_NAMES } from "../../src/queues/index.ts";
import { startWorker } from "../../src/start-worker.ts";
import { app } from "../support/app.ts";
import { startCuttingProxy } from "../support/cutting-proxy.ts";

test("jobs of the clock do not pile up while Postgres is unavailable", async () => {
  const { config } = await app();
  const proxy = await startCuttingProxy(config.DATABASE_URL);
  const worker = await startWorker({ ...config, DATABASE_URL: proxy.url, LOG_LEVEL: "silent" });
  const jobs = async () => {
    const queues = QUEUE_NAMES.map((name) => worker.producer.open({ name }));
    const counts = await Promise.all(queues.map((queue) => queue.getJobCountByTypes("wait", "active", "delayed")));
    return Math.max(...counts);
  };
  try {
    await expect.poll(jobs).toBeGreaterThan(0);
    await proxy.stop();
    // The sweep is due every second.
    await sleep(6_000);
    // One that runs and the next one.
    expect(await jobs()).toBeLessThanOrEqual(2);
  } finally {
    await worker.stop();
  }
});
