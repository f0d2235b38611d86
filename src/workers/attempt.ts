import { DelayedError, ErrorCode, type Job, UnrecoverableError } from "bullmq";
import { ZodError } from "zod";
import { own } from "../domain/kernel/own.ts";
import { isForEvents } from "../queues/queue.ts";
import { openAddOnce } from "./add-once.ts";
import { reactionDone, reactionFailed } from "./events/reactions.sql.ts";
import { openFairShare } from "./fair-share.ts";
import type { RunOptions } from "./run.ts";
import { throttled } from "./throttle.ts";
import { NotNow, type QueueWorker, Retry } from "./worker.ts";

const AWAY_MS = 2_000;
/** Until a job tries again whose workspace has its share of the slots. */
const SHARE_MS = 50;

/** Runs one attempt of a job, and decides by its outcome whether and when the job is retried. */
export function attemptOf({ queue, handle }: QueueWorker, slots: number, stopping: AbortSignal, options: RunOptions) {
  const { context, producer, queues, processId, livedSince, isUnavailable, log, onJob, onResults } = options;
  const logAway = throttled((details: object, sentence: string) => log.warn(details, sentence));
  const share = openFairShare(slots);
  const addOnce = openAddOnce(producer.add);
  const turns = producer.turns(queue);

  return async (job: Job, token: string | undefined) => {
    const { workspace_id: workspaceId } = job.data as { workspace_id?: string | null };
    const isShared = !queue.takesSlots && workspaceId;
    const leave = isShared ? await share.enterSoon(workspaceId) : () => {};
    // It keeps its place before the later jobs of its workspace.
    if (leave === null) return putOff(job, token, SHARE_MS);
    turns.began(job.priority);
    try {
      await oneTurn(job, token);
    } finally {
      leave();
    }
  };

  async function oneTurn(job: Job, token: string | undefined) {
    const started = performance.now();
    const ctx = context();
    const fields = { queue: queue.name, job_id: job.id, workspace_id: job.data.workspace_id };
    const name = `${queue.name} ${job.id}`;
    const results: Record<string, number> = {};
    const report = (numbers: Record<string, number>) => {
      for (const [result, count] of Object.entries(numbers)) results[result] = (own(results, result) ?? 0) + count;
      onResults?.(queue.name, numbers);
    };
    const ended = (outcome: "completed" | "failed") => {
      const ms = Math.round(performance.now() - started);
      onJob?.({ queue: queue.name, outcome, ms });
      return ms;
    };
    try {
      const { add } = producer;
      const progress = (state: object) => void job.updateProgress(state).catch(() => {});
      const info = { id: job.id ?? "", processId, livedSince, queues, stopping, add, addOnce, report, progress, share };
      const more = (await handle(ctx, job.data, info)) ?? {};
      if (isForEvents(queue)) await reactionDone(ctx.database, job.data, queue.name);
      report(numbersIn(more));
      const ms = ended("completed");
      const all = { ...more, ...results };
      log[isIdle(all) ? "debug" : "info"]({ ...fields, ...all, ms }, `${name} done in ${ms} ms`);
    } catch (error) {
      const ms = ended("failed");
      const details = { ...fields, ms, attempt: job.attemptsMade + 1 };
      if (error instanceof NotNow) {
        log.debug({ ...details, reason: error.message }, `${name} put off: ${error.message}`);
        await job.changePriority({ priority: turns.next(job.data.workspace_id ?? null, 1) }).catch(() => {});
        return putOff(job, token, error.delayMs);
      }
      if (isUnavailable(error)) {
        logAway({ ...details, err: error }, `${name} put off: a store is away`);
        // The clock adds the next one. If each were retried until the end of an outage, thousands would pile up.
        if (job.repeatJobKey) return;
        return putOff(job, token, AWAY_MS);
      }
      if (error instanceof Retry)
        log.warn({ ...details, reason: error.message }, `${name} is tried again: ${error.message}`);
      else log.error({ ...details, err: error }, `${name} failed in ${ms} ms`);
      throw error instanceof ZodError ? new UnrecoverableError("the payload is not valid") : error;
    }
  }
}

const numbersIn = (more: object): Record<string, number> =>
  Object.fromEntries(Object.entries(more).filter(([, value]) => typeof value === "number"));

/** Whether a job found nothing to do, as most sweeps and many deliveries do every few seconds. */
const isIdle = (results: object) => Object.values(results).every((value) => value === 0);

/** Delays a job without counting an attempt. */
async function putOff(job: Job, token: string | undefined, ms: number): Promise<never> {
  await job.moveToDelayed(Date.now() + ms, token).catch((error) => {
    if (!isTakenOver(error)) throw error;
  });
  throw new DelayedError();
}

/**
 * Whether an error of BullMQ means that this process has lost the job: the process was frozen, or Redis lost its data.
 */
export function isTakenOver(error: Error): boolean {
  const { code } = error as { code?: unknown };
  const lost: unknown[] = [
    ErrorCode.JobNotExist,
    ErrorCode.JobLockNotExist,
    ErrorCode.JobNotInState,
    ErrorCode.JobLockMismatch,
  ];
  return lost.includes(code) || error.message.startsWith("could not renew lock for job");
}

/** Called after the last attempt of a job. Its reaction stays on record, so that an operator can retry it. */
export function giveUp({ queue }: QueueWorker, job: Job | undefined, error: Error, options: RunOptions): void {
  const { context, log } = options;
  if (!job?.finishedOn) return;
  log.error({ queue: queue.name, job_id: job.id, err: error }, `${queue.name} ${job.id} is given up`);
  if (!isForEvents(queue)) return;
  reactionFailed(context().database, job.data, queue.name).catch((failure) =>
    log.warn({ err: failure, job_id: job.id }, "a reaction that was given up was not marked; its job is added again"),
  );
}
