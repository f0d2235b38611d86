import type { Producer } from "../queues/producer.ts";
import type { QueueDefinition } from "../queues/queue.ts";

/** Adds a job unless this worker has just added one with the same id. */
export type AddOnce = <Payload extends object>(
  queue: QueueDefinition<Payload>,
  job: { id: string; payload: Payload; delayMs: number },
) => Promise<void>;

/**
 * How long ids are remembered, at most. Redis ignores a job whose id it has, so a forgotten id only costs a round trip.
 */
const REMEMBERED_MS = 500;

/**
 * Adds a job once per period and id. Thousands of jobs may be delayed together, and one round trip to Redis is enough
 * for all with the same id.
 */
export function openAddOnce(add: Producer["add"]): AddOnce {
  let period = 0;
  const added = new Set<string>();
  return async (queue, job) => {
    const now = Math.ceil(Date.now() / REMEMBERED_MS);
    if (now !== period) added.clear();
    period = now;
    if (!added.has(job.id)) await add(queue, [job]);
    added.add(job.id);
  };
}
