import { setTimeout as sleep } from "node:timers/promises";
import { unservedOf } from "../../domain/delivery/webhooks/sweep.sql.ts";
import { openBell } from "../../domain/kernel/bell.ts";
import { newId } from "../../domain/kernel/ids.ts";
import type { Database, Log } from "../../domain/kernel/ports/ports.ts";
import type { Producer } from "../../queues/producer.ts";
import { isForEvents, type Job, type QueueDefinition } from "../../queues/queue.ts";
import { deliverWebhook } from "../delivery/deliver-webhook.ts";
import { throttled } from "../throttle.ts";
import { type Agenda, openAgenda, type Place } from "./agenda.ts";
import { claimOverdue } from "./reactions.sql.ts";
import { type Owed, openTaking, type Taken, type Taking, workspacesWaiting } from "./relay.sql.ts";

/** Events of one workspace that are taken together; then those of the next one. */
const BATCH = 500;
/** Workspaces whose events are taken at a time. */
const AT_ONCE = 4;
/** How often overdue jobs are added again, and how long the relay waits while a store is unavailable. */
const POLL_MS = 1_000;

/** How long a new job may take before it is added again, in case it was lost on its way to the queue. */
const PATIENCE_MS = 3_000;
/** How long until it is added once more. That has no effect while the job is in its queue. */
const LATER_MS = 15_000;

export type RelayOptions = {
  /** All queues, also those that other processes serve. */
  queues: readonly QueueDefinition[];
  database: Database;
  producer: Producer;
  log: Log;
  /** Whether an error means that a store is away. */
  isUnavailable: (error: unknown) => boolean;
  /**
   * Calls back after commits, with the workspace's id, or nothing if it is not known. Returns a function that
   * unsubscribes.
   */
  onCommitted: (wake: (workspaceId: string) => void) => () => void;
  /** Tells this process' own delivery to a webhook of new messages. Returns whether there is one. */
  isServed: (webhookId: string) => boolean;
  /** Called when events of a workspace were taken, with the id of the oldest one. */
  onTaken?: (workspaceId: string, oldest: string) => void;
  /** Called after each pass over a workspace that had events. */
  onRelayed?: (events: number, ms: number) => void;
};

/**
 * Passes committed events to webhooks and queues, woken by hints and by a timer. It keeps running while Postgres or
 * Redis is unavailable. Several relays may run at once.
 */
export function startRelay(options: RelayOptions): { stop(): Promise<void> } {
  const { log, onCommitted } = options;
  const clock = () => performance.now();
  const agenda = openAgenda(clock);
  const taking = openTaking(options.queues, { limit: BATCH, patienceMs: PATIENCE_MS });
  const relaying = { ...options, taking, agenda, clock };
  let stopping = false;
  let broken = false;
  const bell = openBell();
  const unsubscribe = onCommitted((workspaceId) => {
    if (agenda.hint(workspaceId)) bell.ring();
  });

  async function run() {
    let overdueAt = 0;
    while (!stopping) {
      try {
        await relay(relaying);
        if (clock() >= overdueAt && !(await addOverdue(relaying))) overdueAt = clock() + POLL_MS;
        if (broken) log.info({}, "the relay works again");
        broken = false;
      } catch (error) {
        if (!broken) log.warn({ err: error }, "the relay cannot work; it tries again every second");
        broken = true;
      }
      if (stopping) continue;
      const pause = Math.min(agenda.pause(), Math.max(0, overdueAt - clock()));
      // While a store is unavailable, hints would only cause more attempts.
      if (broken) await sleep(POLL_MS);
      else if (pause > 0) await bell.wait(pause);
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

type Relaying = RelayOptions & { taking: Taking; agenda: Agenda; clock: () => number };

/** Relays a batch of each workspace that is due. */
async function relay(options: Relaying): Promise<void> {
  const { database, agenda, clock } = options;
  if (agenda.mustLook()) {
    const at = clock();
    agenda.looked(await workspacesWaiting(database), at);
  }
  const due = agenda.takeDue();
  const one = async () => {
    for (let next = due.shift(); next !== undefined; next = due.shift()) await pass(options, next);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, due.length) }, one));
}

async function pass(options: Relaying, place: Place): Promise<void> {
  const { agenda, log, isUnavailable, onRelayed, clock } = options;
  const began = clock();
  try {
    const { mine, events, owed, webhooks, tests } = await relayWorkspace(options, place);
    const ms = clock() - began;
    if (events > 0) onRelayed?.(events, ms);
    const heard = owed.length + webhooks.length + tests.length > 0;
    agenda.passed(place, { heard, more: events === BATCH, busy: !mine, ms });
  } catch (error) {
    agenda.failed(place);
    if (isUnavailable(error)) throw error;
    logFailed(log, place, error);
  }
}

// An error with one workspace's events does not delay the others.
const logFailed = throttled((log: Log, workspaceId: string | null, error: unknown) =>
  log.error(
    { err: error, workspace_id: workspaceId },
    "events of a workspace could not be relayed; they are tried again",
  ),
);

/** If the process dies before the jobs are added, `addOverdue` and the sweep add them. */
async function relayWorkspace(
  { database, producer, queues, taking, isServed, onTaken }: Relaying,
  workspaceId: string | null,
): Promise<Taken> {
  const taken = await taking.take(database, workspaceId);
  if (workspaceId !== null && taken.oldest !== null) onTaken?.(workspaceId, taken.oldest);
  const workspace_id = workspaceId ?? "";
  // A webhook that a process serves needs no job: that process finds the deliveries. BullMQ fetches all jobs that it has room
  // for before it runs the first one, so useless jobs delay the others.
  const elsewhere = taken.webhooks.filter((id) => !isServed(id));
  const webhooks = await unservedOf(database, elsewhere);
  // The ids are new, because BullMQ ignores a job whose id is in its queue, and that one may end without these deliveries.
  const batch = newId();
  const jobs = [
    ...taken.tests.map(({ id, webhook_id }) => ({ id, payload: { workspace_id, webhook_id, test_id: id } })),
    ...webhooks.map((webhook_id) => ({ id: `${batch}-${webhook_id}`, payload: { workspace_id, webhook_id } })),
  ];
  if (jobs.length > 0) await producer.add(deliverWebhook, jobs);
  await addOwed(producer, queues, taken.owed);
  return taken;
}

/** Adds a batch of jobs again that should be done by now. New events go first. @returns whether there may be more */
async function addOverdue({ database, producer, queues }: Relaying): Promise<boolean> {
  const owed = await claimOverdue(database, queues, { limit: BATCH, patienceMs: LATER_MS });
  await addOwed(producer, queues, owed, { again: true });
  return owed.length === BATCH;
}

/**
 * Adds the jobs owed. Their ids are the events' (of the first one, if several share a job), so that one that is still in
 * its queue is not added twice.
 * @param options.again the jobs were added before, and may have failed without being marked as given up, because their
 *   process died or Postgres was unavailable
 */
async function addOwed(
  producer: Producer,
  queues: readonly QueueDefinition[],
  owed: readonly Owed[],
  { again = false } = {},
): Promise<void> {
  for (const queue of queues.filter(isForEvents)) {
    const jobs = jobsFor(
      queue,
      owed.filter((one) => one.queue === queue.name),
    );
    if (jobs.length === 0) continue;
    const ids = jobs.map(({ id }) => id);
    if (again) await producer.removeFailed(queue, ids);
    await producer.add(queue, jobs);
  }
}

function jobsFor({ eventsPerJob }: QueueDefinition, owed: readonly Owed[]): Job<object>[] {
  if (eventsPerJob === 1) {
    return owed.map(({ event_id, workspace_id }) => ({ id: event_id, payload: { workspace_id, event_id } }));
  }
  const byWorkspace = Map.groupBy(owed, ({ workspace_id }) => workspace_id);
  return [...byWorkspace].flatMap(([workspace_id, events]) => {
    const ids = events.map(({ event_id }) => event_id);
    const count = Math.ceil(ids.length / eventsPerJob);
    const shares = Array.from({ length: count }, (_, n) => ids.slice(n * eventsPerJob, (n + 1) * eventsPerJob));
    return shares.map((event_ids) => ({ id: event_ids[0]!, payload: { workspace_id, event_ids } }));
  });
}
