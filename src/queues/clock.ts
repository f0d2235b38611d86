import { jobOptions, type Producer } from "./producer.ts";
import type { QueueDefinition, Repeat, ScheduleSettings } from "./queue.ts";

/** A queue and when the clock adds its jobs. */
export type Schedule = { queue: QueueDefinition; repeat: Repeat };

export const schedulesOf = (queues: readonly QueueDefinition[], settings: ScheduleSettings): Schedule[] =>
  queues.flatMap((queue) => (queue.repeat ? [{ queue, repeat: queue.repeat(settings) }] : []));

const CHECK_MS = 5_000;

/**
 * Keeps the job schedulers in Redis. Every worker checks them every few seconds, because a flushed Redis has lost them,
 * and the scheduled jobs repair everything else.
 */
export function startClock(options: {
  producer: Producer;
  schedules: readonly Schedule[];
  onError: (error: Error) => void;
}): { stop(): Promise<void> } {
  const { producer, schedules, onError } = options;
  let checking: Promise<void> | undefined;
  const check = () => {
    checking ??= Promise.all(schedules.map((schedule) => ensure(producer, schedule)))
      .catch(onError)
      .then(() => {
        checking = undefined;
      });
  };
  check();
  const timer = setInterval(check, CHECK_MS);

  return {
    async stop() {
      clearInterval(timer);
      await checking;
    },
  };
}

async function ensure(producer: Producer, { queue, repeat }: Schedule): Promise<void> {
  const opened = producer.open(queue);
  const found = await opened.getJobScheduler(queue.name);
  const same = "every" in repeat ? found?.every === repeat.every : found?.pattern === repeat.pattern;
  // Each run adds the next one, so removing a run's job would stop the schedule. The next run is then long overdue.
  const overdue = Date.now() - (found?.next ?? 0) > OVERDUE_MS + ("every" in repeat ? 2 * repeat.every : 0);
  if (same && !overdue) return;
  await opened.upsertJobScheduler(queue.name, repeat, { name: queue.name, data: {}, opts: jobOptions(queue) });
}

const OVERDUE_MS = 10_000;
