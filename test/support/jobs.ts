import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { newId } from "../../src/domain/kernel/ids.ts";
import type { Database } from "../../src/domain/kernel/ports/ports.ts";
import type { Producer } from "../../src/queues/producer.ts";
import type { QueueDefinition } from "../../src/queues/queue.ts";
import { type RunningWorker, startWorker } from "../../src/start-worker.ts";
import { endAgents } from "../../src/workers/access/end-agents.ts";
import { rollUpKeyUsage } from "../../src/workers/access/roll-up-key-usage.ts";
import { cleanUp } from "../../src/workers/delivery/clean-up.ts";
import { collectFiles } from "../../src/workers/delivery/collect-files.ts";
import { deliverWebhook } from "../../src/workers/delivery/deliver-webhook.ts";
import { queues } from "../../src/workers/index.ts";
import { indexOld } from "../../src/workers/knowledge/index-old-rows.ts";
import { countOpen } from "../../src/workers/rows.sql.ts";
import { app } from "./app.ts";
import type { World } from "./world.ts";

export type DrainOptions = {
  /** Runs retries at once instead of waiting until they are due, until none is left. */
  throughRetries?: boolean;
  timeoutMs?: number;
  /** Queues of the clock whose rows have to be done, too. */
  also?: readonly QueueDefinition[];
};

/**
 * Plays relay and workers until nothing is left to do. Retries that are due later stay, unless asked for.
 * @throws Error when a job failed, or when there is no end.
 */
export async function drain(options: DrainOptions = {}): Promise<void> {
  const { throughRetries = false, timeoutMs = 20_000 } = options;
  const { config, resources } = await app();
  const worker = await startWorker(config);
  try {
    const end = Date.now() + timeoutMs;
    // The last job may have created work in a queue that was checked before.
    for (let quiet = 0; quiet < 2; ) {
      if (throughRetries) await hurryRetries(worker);
      const open = await whatIsOpen(resources.database, worker.producer, options);
      quiet = open.length === 0 ? quiet + 1 : 0;
      if (open.length > 0 && Date.now() > end) throw new Error(`The jobs have no end. Open: ${open.join("; ")}.`);
      if (open.length > 0) await sleep(10);
    }
    await refuseFailed(worker.producer, queues);
  } finally {
    await worker.stop();
  }
}

/** Runs the nightly jobs. */
export const cleanUpNow = (): Promise<void> => runNow(cleanUp);

/** Deletes files that nothing references any more. */
export const collectFilesNow = (): Promise<void> => runNow(collectFiles);

/** Indexes rows that are older than search. */
export const indexOldRowsNow = (): Promise<void> => runNow(indexOld);

/** Revokes agents whose keys have expired. */
export const endAgentsNow = (): Promise<void> => runNow(endAgents);

/** Adds the calls that were counted in Redis to their days. */
export const rollUpKeyUsageNow = (): Promise<void> => runNow(rollUpKeyUsage);

/** Deletes the data of this file's queues, and returns its keys. Other files use the same server. */
export async function flushQueues({ app }: Pick<World, "app">): Promise<string[]> {
  const redis = new Redis(app.config.REDIS_URL);
  try {
    const keys = await redis.keys(`${app.config.REDIS_PREFIX}*`);
    if (keys.length > 0) await redis.del(keys);
    return keys;
  } finally {
    redis.disconnect();
  }
}

type Now = typeof cleanUp | typeof collectFiles | typeof indexOld | typeof endAgents | typeof rollUpKeyUsage;

async function runNow(queue: Now): Promise<void> {
  const { config } = await app();
  const worker = await startWorker(config);
  try {
    await worker.producer.add(queue, [{ id: `now-${Date.now()}`, payload: {} }]);
    const open = worker.producer.open(queue);
    while ((await open.getJobCountByTypes("waiting", "active")) > 0) await sleep(10);
    await refuseFailed(worker.producer, queues);
  } finally {
    await worker.stop();
  }
}

async function hurryRetries({ resources, producer }: RunningWorker): Promise<void> {
  const hurried = await resources.database.query<{ workspace_id: string; webhook_id: string }>({
    text: `with hurried as (
             update webhook_delivery set due_at = now() where state = 'retrying' and due_at > now() returning webhook_id)
           select distinct w.workspace_id, w.id as webhook_id from hurried h join webhook w on w.id = h.webhook_id`,
  });
  // A job that was promoted before its row was hurried has found nothing that is due.
  const jobs = hurried.map((payload) => ({ id: newId(), payload }));
  if (jobs.length > 0) await producer.add(deliverWebhook, jobs);
  for (const queue of jobQueues) await producer.open(queue).promoteJobs();
}

// Repeated queues always have a delayed job for their next run, which also processes their rows. So they do not count.
const jobQueues = queues.filter(({ repeat }) => repeat === null);

/** @param database of the web process, which has planned these statements before */
async function whatIsOpen(
  database: Database,
  producer: Producer,
  { throughRetries = false, also = [] }: DrainOptions,
): Promise<string[]> {
  // In the order in which work moves on, so that none moves past.
  const [outbox] = await database.query<{ events: number }>({
    name: "test_events",
    text: "select count(*) as events from outbox",
  });
  const open = outbox!.events > 0 ? [`${outbox!.events} events`] : [];
  for (const { queue, now, later } of await countOpen(database, [...jobQueues, ...also])) {
    const rows = throughRetries ? now + later : now;
    if (rows > 0) open.push(`${rows} rows of ${queue}`);
  }

  const counts = await Promise.all(queues.map((queue) => producer.open(queue).getJobCounts(...STATES)));
  const mayHaveFailed: QueueDefinition[] = [];
  for (const [at, queue] of queues.entries()) {
    const { waiting = 0, prioritized = 0, active = 0, failed = 0, delayed = 0 } = counts[at]!;
    const jobs = waiting + prioritized + active;
    if (jobs > 0) open.push(`${jobs} jobs of ${queue.name}`);
    const retries = queue.repeat === null ? delayed : delayed - 1;
    if (queue.repeat === null && throughRetries && retries > 0) open.push(`${retries} delayed jobs of ${queue.name}`);
    if (failed > 0 || retries > 0) mayHaveFailed.push(queue);
  }
  await refuseFailed(producer, mayHaveFailed);
  return open;
}

const STATES = ["waiting", "prioritized", "active", "failed", "delayed"] as const;

/** A job that throws is a bug, even if it is retried: failures of receivers are not thrown. */
async function refuseFailed(producer: Producer, queues: readonly QueueDefinition[]): Promise<void> {
  await Promise.all(
    queues.map(async (queue) => {
      const jobs = await producer.open(queue).getJobs(["failed", "delayed"]);
      const failed = jobs.find((job) => job && job.attemptsMade > 0);
      if (failed) throw new Error(`A job of ${queue.name} failed: ${failed.stacktrace?.[0] ?? failed.failedReason}`);
    }),
  );
}
