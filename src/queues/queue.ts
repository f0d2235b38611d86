import { z } from "zod";
import type { EventType } from "../domain/event-catalogue.ts";
import type { Db } from "../domain/kernel/ports/ports.ts";

/** When the clock adds a job: `every` in milliseconds, or `pattern`, a cron line in UTC. */
export type Repeat = { every: number } | { pattern: string; tz: "UTC" };

/** Settings that schedules depend on. */
export type ScheduleSettings = { sweepSeconds: number };

/** A job to add. While a job with the same id is in its queue in any state, adding it again does nothing. */
export type Job<Payload> = { id: string; payload: Payload; delayMs?: number };

/**
 * The rows behind a queue: the work that is left even if Redis loses the jobs. SQL conditions on one table. Rows that are
 * declared with `leasedRows` (domain/kernel/leases.sql.ts) fit.
 */
export type QueueRows = {
  readonly table: string;
  /** There is work left. */
  readonly open: string;
  /** Work is due and no worker does it. */
  readonly due: string;
  /** There is work left for a later time. Default: none. */
  readonly later?: string;
};

/**
 * The definition of a queue: the payload of its jobs, what adds them, how they are retried, and the rows behind them.
 */
export type QueueDefinition<Payload extends object = object> = {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /** Waits before the second, third, … attempt of a job whose handler threw, in milliseconds. */
  readonly retry: readonly number[];
  /** A job is never given up: the last wait repeats. */
  readonly retryForever: boolean;
  /** Jobs that one worker process runs at a time. */
  readonly concurrency: number;
  /** The handler takes and releases the slots of its workspace by itself. Default: each job takes one. */
  readonly takesSlots: boolean;
  /** Each event of these types adds a job with its id. Rows of `reaction` stand behind these jobs. */
  readonly on: readonly EventType[];
  /**
   * Up to this many events of a workspace share a job, whose payload then names them in `event_ids`. Default: 1, whose
   * payload has `event_id`.
   */
  readonly eventsPerJob: number;
  /** SQL: whether event `e` adds a job, by its type. Events of other types in `on` always do. */
  readonly only: Partial<Record<EventType, string>>;
  /**
   * SQL: whether anything in workspace `$1` listens to these events. It is one indexed query per batch of events, and
   * without a listener no job is created.
   */
  readonly listeners: string;
  /** When the clock adds a job; null if it does not. */
  readonly repeat: ((settings: ScheduleSettings) => Repeat) | null;
  /** The rows that the queue works on besides events; null if there are none. */
  readonly rows: QueueRows | null;
  /** Finds rows whose job is missing: `sweep` adds these jobs. null if no job belongs to one row. */
  readonly lost: ((db: Db) => Promise<Job<Payload>[]>) | null;
};

/** `listeners` of a queue whose events are recorded only to add its jobs. */
export const ALWAYS = "true";

/** A queue for events must declare its listeners, so that events without any cost nothing. */
type ForEvents =
  | (Pick<QueueDefinition, "on" | "listeners"> & Partial<Pick<QueueDefinition, "eventsPerJob" | "only">>)
  | { on?: never; listeners?: never; eventsPerJob?: never; only?: never };

type Options<Payload extends object> = Pick<QueueDefinition<Payload>, "retry" | "concurrency"> &
  Partial<Pick<QueueDefinition<Payload>, "retryForever" | "takesSlots" | "repeat" | "rows" | "lost">> &
  ForEvents;

/**
 * Declares a queue, in the file that also serves it. Its payload consists of ids, including `workspace_id` unless only
 * the clock adds its jobs. The rows with these ids are the source of truth.
 */
export function defineQueue<Shape extends z.ZodRawShape>(
  name: string,
  {
    payload,
    on = [],
    listeners = ALWAYS,
    eventsPerJob = 1,
    only = {},
    ...options
  }: Options<z.infer<z.ZodObject<Shape>>> & {
    payload: z.ZodObject<Shape>;
  },
) {
  const defaults = { retryForever: false, takesSlots: false, repeat: null, rows: null, lost: null };
  return Object.freeze({ ...defaults, ...options, on, listeners, eventsPerJob, only, name, payload: payload.strict() });
}

/** Whether a queue's jobs are for events: the table `reaction` has a row for each until it is done. */
export const isForEvents = ({ on }: Pick<QueueDefinition, "on">): boolean => on.length > 0;

/** Converts seconds to milliseconds. */
export const seconds = (...waits: number[]): number[] => waits.map((wait) => wait * 1000);

/** Returns the milliseconds to wait before the next attempt of a job. */
export const waitAfter = ({ retry }: QueueDefinition, attemptsMade: number): number =>
  retry[attemptsMade - 1] ?? retry.at(-1) ?? 0;

export const id = z.uuid();

/** Part of the declaration of a queue in which up to `eventsPerJob` events share a job. */
export const eventsTogether = (eventsPerJob: number) => ({
  eventsPerJob,
  payload: z.object({ workspace_id: id, event_ids: z.array(id).min(1) }),
});
