import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Log } from "../domain/ports.ts";
import type { Producer } from "../queues/producer.ts";
import { type Reaction, reactions } from "../queues/reactions.ts";
import { type Owed, takeEvents } from "./reactions.sql.ts";

const BATCH = 500;
const POLL_MS = 1_000;

/** How long a job may take before the sweep asks after it. */
const PATIENCE_MS = 6_000;

export type RelayOptions = {
  database: Database;
  producer: Producer;
  log: Log;
  /** Calls back when something was committed; answers how to stop listening. */
  onHint: (wake: () => void) => () => void;
  onRelayed?: (events: number) => void;
};

/**
 * Hands committed events to queues, woken by hints and by the clock. It outlives Postgres and Redis being away; several
 * may run at once.
 */
export function startRelay(options: RelayOptions): { stop(): Promise<void> } {
  const { log, onHint, onRelayed } = options;
  let stopping = false;
  let broken = false;
  const bell = openBell();
  const unsubscribe = onHint(bell.ring);

  async function run() {
    while (!stopping) {
      let taken = 0;
      try {
        taken = await relay(options);
        if (broken) log.info({}, "the relay works again");
        broken = false;
      } catch (error) {
        if (!broken) log.warn({ err: error }, "the relay cannot work; it tries again every second");
        broken = true;
      }
      if (taken > 0) onRelayed?.(taken);
      if (taken === BATCH || stopping) continue;
      // While something is away, hints would only make it try faster.
      await (broken ? sleep(POLL_MS) : bell.wait(POLL_MS));
    }
  }
  const running = run();

  return {
    async stop() {
      stopping = true;
      unsubscribe();
      bell.ring();
      await running;
    },
  };
}

/** Relays one batch and answers how many events it was. A crash before the jobs are added leaves them to the sweep. */
export async function relay({ database, producer }: Pick<RelayOptions, "database" | "producer">): Promise<number> {
  const { events, owed } = await takeEvents(database, TABLE, { most: BATCH, patienceMs: PATIENCE_MS });
  await addOwed(producer, owed);
  return events;
}

/** Adds the jobs owed. Their ids are the events', so that one that is still in its queue is not added twice. */
export async function addOwed(producer: Pick<Producer, "add">, owed: readonly Owed[]): Promise<void> {
  for (const { queue } of reactions) {
    const jobs = owed
      .filter((one) => one.queue === queue.name)
      .map(({ event_id, workspace_id }) => ({ id: event_id, payload: { workspace_id, event_id } }));
    if (jobs.length > 0) await producer.add(queue, jobs);
  }
}

const pairs = (table: readonly Reaction[]) =>
  table.flatMap(({ queue, types }) => types.map((type) => ({ queue: queue.name, type })));

const TABLE = { queues: pairs(reactions).map(({ queue }) => queue), types: pairs(reactions).map(({ type }) => type) };

/** Rings that come while nobody waits count once. */
function openBell() {
  let rung = false;
  let wake = () => {};
  return {
    ring() {
      rung = true;
      wake();
    },
    /** Resolves at a ring, also one since the last wait, or after `ms`. */
    async wait(ms: number) {
      if (!rung) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const timer = setTimeout(resolve, ms);
        await promise;
        clearTimeout(timer);
      }
      rung = false;
    },
  };
}
