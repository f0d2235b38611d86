import { type ConnectionOptions, Queue } from "bullmq";
import { type Job, type QueueDefinition, waitAfter } from "./queue.ts";
import { openTurns, type Turns } from "./turns.ts";

export type Producer = {
  /** @throws ZodError when a payload is not what the queue declares. */
  add<Payload extends object>(queue: QueueDefinition<Payload>, jobs: readonly Job<Payload>[]): Promise<void>;
  /** Removes the failed jobs among these. While BullMQ keeps a failed job, it ignores a new one with the same id. */
  removeFailed(queue: { readonly name: string }, ids: readonly string[]): Promise<void>;
  /** The BullMQ queue itself, for the clock, metrics and consoles. */
  open(queue: { readonly name: string }): Queue;
  /** The order in which workspaces take turns in a queue. */
  turns(queue: { readonly name: string }): Turns;
  close(): Promise<void>;
};

/** Opens the queues with these names on one connection, which the caller closes. */
export function openProducer(
  names: readonly string[],
  options: { connection: ConnectionOptions; prefix: string; onError: (error: Error) => void },
): Producer {
  const { connection, prefix, onError } = options;
  const opened = new Map(names.map((name) => [name, openQueue(name)]));
  const turnsOf = new Map(names.map((name) => [name, openTurns()]));

  function openQueue(name: string) {
    const queue = new Queue(name, {
      connection,
      prefix,
      // The stream of events is not used.
      streams: { events: { maxLen: 100 } },
    });
    queue.on("error", onError);
    return queue;
  }

  function open({ name }: { readonly name: string }) {
    const queue = opened.get(name);
    if (!queue) throw new Error(`The queue ${name} is not opened here.`);
    return queue;
  }

  const turns = ({ name }: { readonly name: string }) => turnsOf.get(name)!;

  return {
    open,
    turns,
    async add(definition, jobs) {
      const queue = open(definition);
      const entries = jobs.map(({ id, payload, delayMs }) => ({
        name: definition.name,
        data: definition.payload.parse(payload),
        opts: {
          ...jobOptions(definition),
          jobId: id,
          priority: placeOf(payload, turns(definition)),
          ...(delayMs ? { delay: Math.ceil(delayMs) } : {}),
        },
      }));
      // A bulk is one Redis transaction, which blocks all other clients.
      for (let start = 0; start < entries.length; start += BULK)
        await queue.addBulk(entries.slice(start, start + BULK));
    },
    async removeFailed(definition, ids) {
      const queue = open(definition);
      const removeIfFailed = async (id: string) => {
        const job = await queue.getJob(id);
        if (await job?.isFailed()) await queue.remove(id);
      };
      await Promise.all(ids.map(removeIfFailed));
    },
    async close() {
      await Promise.all([...opened.values()].map((queue) => queue.close()));
    },
  };
}

/** The priority of a job. A job of many events is as long as as many jobs of one. */
function placeOf(payload: object, turns: Turns): number {
  const { workspace_id, event_ids } = payload as { workspace_id?: string | null; event_ids?: readonly string[] };
  return turns.next(workspace_id ?? null, Math.max(1, event_ids?.length ?? 1));
}

/** How BullMQ treats a job of a queue. */
export const jobOptions = ({ retry, retryForever }: QueueDefinition) => ({
  attempts: retryForever ? FOR_EVER : retry.length + 1,
  backoff: { type: "custom" },
  removeOnComplete: true,
  removeOnFail: { count: FAILED_JOBS_KEPT },
  stackTraceLimit: 3,
});

/** The strategy that BullMQ calls for the wait before the next attempt. */
export const backoffOf = (definition: QueueDefinition) => ({
  backoffStrategy: (attemptsMade: number) => waitAfter(definition, attemptsMade),
});

const FOR_EVER = 1_000_000_000;
const FAILED_JOBS_KEPT = 1000;
const BULK = 500;
