import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectionOptions, DelayedError, type Job, UnrecoverableError, Worker } from "bullmq";
import { ZodError } from "zod";
import type { Background } from "../domain/background.ts";
import { own } from "../domain/own.ts";
import type { Log } from "../domain/ports.ts";
import { backoffOf, type Producer } from "../queues/producer.ts";
import { reactions } from "../queues/reactions.ts";
import { quietly } from "./quietly.ts";
import { reactionDone, reactionFailed } from "./reactions.sql.ts";
import { openShares } from "./shares.ts";
import type { WorkerFile } from "./worker.ts";

export type RunOptions = {
  connection: ConnectionOptions;
  prefix: string;
  producer: Producer;
  /** A fresh context, at the start of each job. */
  context: () => Background;
  /** Jobs in hand, by queue, where it is not what the queue declares. */
  concurrency: Record<string, number>;
  /** Whether an error means that Postgres or Redis is away. */
  isAway: (error: unknown) => boolean;
  log: Log;
  /** `results` are the numbers that the handler answered. */
  onJob?: (done: {
    queue: string;
    outcome: "completed" | "failed";
    ms: number;
    results: Record<string, number>;
  }) => void;
  onError: (error: Error) => void;
};

export type Running = { ready(): Promise<void>; stop(patienceMs: number): Promise<void> };

/** Serves queues until stopped. */
export function startWorkers(files: readonly WorkerFile[], options: RunOptions): Running {
  const stopping = new AbortController();
  let inHand = 0;
  const workers = files.map((file) => {
    const attempt = attemptOf(file, stopping.signal, options);
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
      settingsOf(file, options),
    );
    worker.on("error", options.onError);
    worker.on("failed", (job, error) => giveUp(file, job, error, options));
    return worker;
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
      if (force) options.log.warn({ jobs: inHand }, `${inHand} jobs are left for other workers`);
      await Promise.all(workers.map((worker) => worker.close(force)));
    },
  };
}

const settingsOf = ({ queue }: WorkerFile, { connection, prefix, concurrency }: RunOptions) => ({
  connection,
  prefix,
  concurrency: placesOf(queue, concurrency),
  settings: backoffOf(queue),
  // The jobs of a worker that was killed go to another one after at most lock and interval.
  lockDuration: 20_000,
  stalledInterval: 5_000,
  // Every job may run twice, so a worker's death is no fault of its jobs; one that kills each worker ends here.
  maxStalledCount: 20,
  // After a lost connection; BullMQ's own 15 s would be most of the time there is for repair.
  runRetryDelay: 1_000,
});

const placesOf = (queue: WorkerFile["queue"], concurrency: RunOptions["concurrency"]) =>
  own(concurrency, queue.name) ?? queue.concurrency;

function attemptOf({ queue, handle }: WorkerFile, stopping: AbortSignal, options: RunOptions) {
  const { context, producer, isAway, log, onJob } = options;
  const sayAway = quietly((details: object, sentence: string) => log.warn(details, sentence));
  const shares = openShares(placesOf(queue, options.concurrency));
  return async (job: Job, token: string | undefined) => {
    const started = performance.now();
    const ctx = context();
    const fields = { queue: queue.name, job_id: job.id, workspace_id: job.data.workspace_id };
    const ended = (outcome: "completed" | "failed", more: object = {}) => {
      const ms = Math.round(performance.now() - started);
      onJob?.({ queue: queue.name, outcome, ms, results: numbersIn(more) });
      return ms;
    };
    try {
      const more = await handle(ctx, job.data, { id: job.id ?? "", stopping, add: producer.add, shares });
      if (isReaction(queue.name)) await reactionDone(ctx.database, { event_id: job.data.event_id, queue: queue.name });
      const ms = ended("completed", more);
      const level = isIdle(more) ? "debug" : "info";
      log[level]({ ...fields, ...more, ms }, `${queue.name} ${job.id} done in ${ms} ms`);
    } catch (error) {
      const ms = ended("failed");
      if (isAway(error)) {
        sayAway({ ...fields, ms, err: error }, `${queue.name} ${job.id} put off: a store is away`);
        return putOff(job, token);
      }
      log.error(
        { ...fields, ms, attempt: job.attemptsMade + 1, err: error },
        `${queue.name} ${job.id} failed in ${ms} ms`,
      );
      throw error instanceof ZodError ? new UnrecoverableError("the payload is not valid") : error;
    }
  };
}

const numbersIn = (more: object): Record<string, number> =>
  Object.fromEntries(Object.entries(more).filter(([, value]) => typeof value === "number"));

/** Most sweeps and many turns find nothing to do, and say so every few seconds. */
const isIdle = (more: object | undefined) => more !== undefined && Object.values(more).every((value) => value === 0);

const AWAY_MS = 2_000;

/** An outage is not the job's fault and does not count as one of its attempts. */
async function putOff(job: Job, token: string | undefined): Promise<never> {
  await job.moveToDelayed(Date.now() + AWAY_MS, token);
  throw new DelayedError();
}

const isReaction = (name: string) => reactions.some(({ queue }) => queue.name === name);

/** After the last attempt of a job: what it was for stays on record, for an operator to retry it. */
function giveUp({ queue }: WorkerFile, job: Job | undefined, error: Error, { context, log }: RunOptions): void {
  if (!job?.finishedOn) return;
  log.error({ queue: queue.name, job_id: job.id, err: error }, `${queue.name} ${job.id} is given up`);
  if (!isReaction(queue.name)) return;
  reactionFailed(context().database, { event_id: job.data.event_id, queue: queue.name }).catch((failure) =>
    log.warn({ err: failure, job_id: job.id }, "a reaction given up was not marked; the sweep will ask after it again"),
  );
}
