import type { Background } from "../domain/events/background.ts";
import type { Producer } from "../queues/producer.ts";
import type { QueueDefinition } from "../queues/queue.ts";
import type { AddOnce } from "./add-once.ts";
import type { FairShare } from "./fair-share.ts";

export type JobInfo = {
  id: string;
  /** Names this process in rows that it has claimed; see domain/kernel/liveness.sql.ts. */
  processId: string;
  /**
   * Whether this process has been alive since then (in time of performance.now()), so that no other one has taken over
   * what it claimed.
   */
  livedSince: (time: number) => boolean;
  /** All queues. */
  queues: readonly QueueDefinition[];
  /** Aborted when the process has to stop: finish started work and start nothing new. */
  stopping: AbortSignal;
  add: Producer["add"];
  addOnce: AddOnce;
  /** Adds to the job's numbers for metrics and its log line. Long jobs call it repeatedly. */
  report(results: Record<string, number>): void;
  /** Shows in the queue console how far a long job has come. It may be lost. */
  progress(state: object): void;
  /** The slots of this queue in this process, for jobs that may take long. */
  share: FairShare;
};

/** Throw this to retry by the queue's schedule for an expected reason, which is logged as a warning. */
export class Retry extends Error {}

/**
 * Throw this to retry after a delay, for example because another worker does the work, or because the turn is over: then
 * jobs of other workspaces come first. It does not count as an attempt.
 */
export class NotNow extends Error {
  readonly delayMs: number;

  constructor(message: string, delayMs: number) {
    super(message);
    this.delayMs = delayMs;
  }
}

/** Handles a job. The log line of the job shows what it returns. If every number in it is 0, nothing was done. */
export type Handler<Payload> = (ctx: Background, payload: Payload, job: JobInfo) => Promise<object | undefined>;

/** A queue and what its jobs do. */
export type QueueWorker = {
  queue: QueueDefinition;
  /** @throws ZodError if the payload does not match the queue's declaration */
  handle: Handler<unknown>;
};

/** Defines the handler of a queue's jobs. It may run more than once for a job, and out of order. */
export const serve = <Payload extends object>(
  queue: QueueDefinition<Payload>,
  handle: Handler<Payload>,
): QueueWorker => ({
  queue,
  handle: (ctx, payload, job) => handle(ctx, queue.payload.parse(payload), job),
});
