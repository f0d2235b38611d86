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
  /** As in startHeartbeat. */
  livedSince: (time: number) => boolean;
  /** Returns a new context for a job. */
  context: () => Background;
  /** Overrides how many jobs run at a time, by queue. */
  concurrency: Record<string, number>;
  /** Whether an error means that Postgres or Redis is away. */
  isUnavailable: (error: unknown) => boolean;
  log: Log;
  onJob?: (done: { queue: string; outcome: "completed" | "failed"; ms: number }) => void;
  /** Receives the numbers that a handler returns or reports. */
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
      worker.on("drained", options.producer.turns(file.queue).drained);
      worker.on("failed", (job, error) => giveUp(file, job, error, options));
      return worker;
    });
  });

  return {
    async ready() {
      await Promise.all(workers.map((worker) => worker.waitUntilReady()));
    },

    /** Jobs that do not end in time stay in Redis. Another worker gets them when their lock has expired. */
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
 * The most slots of one BullMQ worker. BullMQ fetches jobs one by one until its slots are full, and only then runs the
 * first. With many slots and a slow Redis that takes seconds, and the locks of fetched jobs expire before they run. So
 * several workers share a queue.
 */
const MAX_FETCHED = 25;

function split(slots: number): number[] {
  const count = Math.ceil(slots / MAX_FETCHED);
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
  // Every job may run more than once, so the death of a worker does not fail its jobs. A job that kills every worker
  // fails after this many times.
  maxStalledCount: 20,
  // In seconds. Redis may wake a frozen worker for a new job, so the others check this often.
  drainDelay: 0.5,
  // After a lost connection. BullMQ's default of 15 s is too long for the recovery time that the service promises.
  runRetryDelay: 1_000,
});

const slotsOf = (queue: QueueDefinition, { concurrency }: RunOptions) =>
  own(concurrency, queue.name) ?? queue.concurrency;
