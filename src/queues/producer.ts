import { type ConnectionOptions, Queue } from "bullmq";
import { type QueueDefinition, waitAfter } from "./queue.ts";

/** A job to add. While a job with the same id is in its queue in any state, adding it again does nothing. */
export type Job<Payload> = { id: string; payload: Payload; delayMs?: number };

export type Producer = {
  /** @throws ZodError when a payload is not what the queue declares. */
  add<Payload extends object>(queue: QueueDefinition<Payload>, jobs: readonly Job<Payload>[]): Promise<void>;
  /** The BullMQ queue itself, for the clock, metrics and consoles. */
  open(queue: QueueDefinition): Queue;
  close(): Promise<void>;
};

/** All queues by one connection, which stays the caller's. */
export function openProducer(
  definitions: readonly QueueDefinition[],
  options: { connection: ConnectionOptions; prefix: string; onError: (error: Error) => void },
): Producer {
  const { connection, prefix, onError } = options;
  const opened = new Map(definitions.map((definition) => [definition.name, openQueue(definition)]));

  function openQueue(definition: QueueDefinition) {
    const queue = new Queue(definition.name, {
      connection,
      prefix,
      defaultJobOptions: {
        attempts: definition.retryForever ? FOR_EVER : definition.retry.length + 1,
        backoff: { type: "custom" },
        removeOnComplete: true,
        removeOnFail: { count: FAILED_JOBS_KEPT },
        stackTraceLimit: 3,
      },
      // Nobody reads the stream of events.
      streams: { events: { maxLen: 100 } },
    });
    queue.on("error", onError);
    return queue;
  }

  function open({ name }: QueueDefinition) {
    const queue = opened.get(name);
    if (!queue) throw new Error(`The queue ${name} is not opened here.`);
    return queue;
  }

  return {
    open,
    async add(definition, jobs) {
      const queue = open(definition);
      const entries = jobs.map(({ id, payload, delayMs }) => ({
        name: definition.name,
        data: definition.payload.parse(payload),
        opts: { jobId: id, ...(delayMs ? { delay: Math.ceil(delayMs) } : {}) },
      }));
      // A bulk is one transaction of Redis, during which nobody else is served.
      for (let start = 0; start < entries.length; start += BULK)
        await queue.addBulk(entries.slice(start, start + BULK));
    },
    async close() {
      await Promise.all([...opened.values()].map((queue) => queue.close()));
    },
  };
}

/** How BullMQ asks for the wait before the next attempt. */
export const backoffOf = (definition: QueueDefinition) => ({
  backoffStrategy: (attemptsMade: number) => waitAfter(definition, attemptsMade),
});

const FOR_EVER = 1_000_000_000;
const FAILED_JOBS_KEPT = 1000;
const BULK = 500;
