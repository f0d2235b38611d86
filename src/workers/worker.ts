import type { Background } from "../domain/events/background.ts";
import type { Producer } from "../queues/producer.ts";
import type { QueueDefinition } from "../queues/queue.ts";
import type { AddOnce } from "./add-once.ts";
import type { FairShare } from "./delivery/fair-share.ts";

export type JobInfo = {
  id: string;
  /** Names this process in rows that it has claimed; see domain/kernel/liveness.sql.ts. */
  processId: string;
  /** All queues. */
  queues: readonly QueueDefinition[];
  /** Aborted when the process is asked to stop: finish what is in hand, begin nothing. */
  stopping: AbortSignal;
  add: Producer["add"];
  addOnce: AddOnce;
  /** Adds to what the job has done so far, for metrics and for its log line. Jobs that take long report as they go. */
  report(results: Record<string, number>): void;
  /** For jobs that may take long: the slots of this queue in this process. */
  share: FairShare;
};

/** Thrown to try again by the queue's schedule for a foreseen reason, which is logged as a warning. */
export class Retry extends Error {}

/** Thrown to try again after a delay, for instance because another worker has the work in hand. It is no attempt. */
export class NotNow extends Error {
  readonly delayMs: number;

  constructor(message: string, delayMs: number) {
    super(message);
    this.delayMs = delayMs;
  }
}

/** What it answers stands in the log line of the job; where every number in it is 0, nothing was done. */
export type Handler<Payload> = (ctx: Background, payload: Payload, job: JobInfo) => Promise<object | undefined>;

/** A queue and what its jobs do. */
export type QueueWorker = {
  queue: QueueDefinition;
  /** @throws ZodError when the payload is not what the queue declares. */
  handle: Handler<unknown>;
};

/** Says what the jobs of a queue do. The handler may run twice for one job, and out of order. */
export const serve = <Payload extends object>(
  queue: QueueDefinition<Payload>,
  handle: Handler<Payload>,
): QueueWorker => ({
  queue,
  handle: (ctx, payload, job) => handle(ctx, queue.payload.parse(payload), job),
});
