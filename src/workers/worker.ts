import type { Background } from "../domain/events/background.ts";
import type { Producer } from "../queues/producer.ts";
import type { QueueDefinition } from "../queues/queue.ts";
import type { FairShare } from "./delivery/fair-share.ts";

export type JobInfo = {
  id: string;
  /** Names this process in rows that it has in hand; see domain/kernel/liveness.sql.ts. */
  processId: string;
  /** Aborted when the process is asked to stop: finish what is in hand, begin nothing. */
  stopping: AbortSignal;
  add: Producer["add"];
  /** Adds to what the job has done so far, for metrics and for its log line. Jobs that take long report as they go. */
  report(results: Record<string, number>): void;
  /** For jobs that may take long: the places of this queue in this process. */
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

export type WorkerFile = {
  queue: QueueDefinition;
  /** @throws ZodError when the payload is not what the queue declares. */
  handle: Handler<unknown>;
};

/** Declares who serves a queue. The handler may run twice for one job, and out of order. */
export const worker = <Payload extends object>(
  queue: QueueDefinition<Payload>,
  handle: Handler<Payload>,
): WorkerFile => ({ queue, handle: (ctx, payload, job) => handle(ctx, queue.payload.parse(payload), job) });

/**
 * The workers of the queues to be served; `only` names some of them, none means all.
 * @throws Error unless each queue has exactly one worker, and each worker and name a queue.
 */
export function pairUp(
  queues: readonly QueueDefinition[],
  workers: readonly WorkerFile[],
  only: readonly string[] = [],
): WorkerFile[] {
  const names = queues.map(({ name }) => name);
  const served = workers.map(({ queue }) => queue.name);
  const problems = [
    ...repeated(names).map((name) => `the queue ${name} is declared twice`),
    ...repeated(served).map((name) => `the queue ${name} has more than one worker`),
    ...without(names, served).map((name) => `the queue ${name} has no worker`),
    ...without(served, names).map((name) => `there is a worker for ${name}, which is no queue`),
    ...without(only, names).map((name) => `WORKER_QUEUES names ${name}, which is no queue`),
  ];
  if (problems.length > 0) throw new Error(`Queues and workers do not fit: ${problems.join("; ")}.`);
  return workers.filter(({ queue }) => only.length === 0 || only.includes(queue.name));
}

const repeated = (names: readonly string[]) => [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
const without = (names: readonly string[], others: readonly string[]) => names.filter((name) => !others.includes(name));
