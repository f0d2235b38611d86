import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectionOptions, Worker } from "bullmq";
import type { Background } from "../domain/events/background.ts";
import { own } from "../domain/kernel/own.ts";
import type { Log } from "../domain/kernel/ports/ports.ts";
import { backoffOf, type Producer } from "../queues/producer.ts";
import type { QueueDefinition } from "../queues/queue.ts";
import { attemptOf, giveUp, isTakenOver } from "./attempt.ts";
import type { QueueWorker } from "./worker.ts";

export type RunOptions = {
  connection: ConnectionOptions;
  prefix: string;
  producer: Producer;
  /** All queues, also those that other processes serve. */
  queues: readonly QueueDefinition[];
  /** Names this process in rows that it has claimed; see domain/kernel/liveness.sql.ts. */
  processId: string;
  /** A fresh context, at the start of each job. */
  context: () => Background;
  /** Jobs in hand, by queue, where it is not what the queue declares. */
  concurrency: Record<string, number>;
  /** Whether an error means that Postgres or Redis is away. */
  isUnavailable: (error: unknown) => boolean;
  log: Log;
  onJob?: (done: { queue: string; outcome: "completed" | "failed"; ms: number }) => void;
  /** What jobs did: the numbers that a handler answers, or reports meanwhile. */
  onResults?: (queue: string, results: Record<string, number>) => void;
  onError: (error: Error) => void;
};

export type Running = { ready(): Promise<void>; stop(patienceMs: number): Promise<void> };

/** Serves queues until stopped. */
export function startWorkers(files: readonly QueueWorker[], options: RunOptions): Running {
  const { log, onError } = options;
  const stopping = new AbortController();
  let inHand = 0;
  const workers = files.flatMap((file) => {
    const slots = slotsOf(file.queue, options);
    const attempt = attemptOf(file, slots, stopping.signal, options);
    return split(slots).map((concurrency) => {
      const worker = new Worker(
        file.queue.name,
        async (job, token) => {
          inHand++;
          try {
            await attempt(job, token);
          } finally {
            inHand--;
          }
        },
        { ...settingsOf(file, options), concurrency },
      );
      worker.on("error", (error) =>
        isTakenOver(error) ? log.info({ reason: error.message }, "a job went to another worker") : onError(error),
      );
      worker.on("failed", (job, error) => giveUp(file, job, error, options));
      return worker;
    });
  });

  return {
    async ready() {
      await Promise.all(workers.map((worker) => worker.waitUntilReady()));
    },

    /** Jobs that are not done in time stay with Redis, which gives them to another worker when their lock has ended. */
    async stop(patienceMs) {
      stopping.abort();
      await Promise.all(workers.map((worker) => worker.pause(true)));
      for (const end = Date.now() + patienceMs; inHand > 0 && Date.now() < end; ) await sleep(20);
      const force = inHand > 0;
      if (force) log.warn({ jobs: inHand }, `${inHand} jobs are left for other workers`);
      await Promise.all(workers.map((worker) => worker.close(force)));
    },
  };
}

/**
 * BullMQ fetches jobs one after the other until its slots are full, and runs the first one then. With many slots and a
 * slow Redis that takes seconds, and the locks of jobs that were fetched end before they run. So several share a queue.
 */
const MOST_FETCHED = 25;

function split(slots: number): number[] {
  const count = Math.ceil(slots / MOST_FETCHED);
  return Array.from({ length: count }, (_, at) => Math.floor((slots + at) / count));
}

const settingsOf = (file: QueueWorker, options: RunOptions) => ({
  connection: options.connection,
  prefix: options.prefix,
  settings: backoffOf(file.queue),
  // The jobs of a worker that was killed or frozen go to another one after at most lock and interval.
  lockDuration: 2_500,
  lockRenewTime: 1_000,
  stalledInterval: 1_000,
  // Every job may run twice, so a worker's death is no fault of its jobs; one that kills each worker ends here.
  maxStalledCount: 20,
  // In seconds. A frozen worker may be the one that is woken for a new job; others look by themselves.
  drainDelay: 0.5,
  // After a lost connection; BullMQ's own 15 s would be most of the time there is for repair.
  runRetryDelay: 1_000,
});

const slotsOf = (queue: QueueDefinition, { concurrency }: RunOptions) =>
  own(concurrency, queue.name) ?? queue.concurrency;
