import { z } from "zod";
import type { EventType } from "../domain/event-catalogue.ts";

/** When the clock adds a job: `every` in milliseconds, or `pattern`, a cron line in UTC. */
export type Repeat = { every: number } | { pattern: string; tz: "UTC" };

/** What schedules depend on. */
export type ScheduleSettings = { sweepSeconds: number };

/** Everything about a queue: what its jobs carry, what adds them and how they are tried again. Its worker has its name. */
export type QueueDefinition<Payload extends object = object> = {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /** Waits before the second, third, … attempt of a job whose handler threw, in milliseconds. */
  readonly retry: readonly number[];
  /** A job is never given up: the last wait repeats. */
  readonly retryForever: boolean;
  /** Jobs that one worker process has in hand. */
  readonly concurrency: number;
  /** Each event of these types adds a job with its id. */
  readonly on: readonly EventType[];
  /**
   * SQL: whether anything in workspace `$1` listens to these events. One indexed look for a batch of events decides
   * whether any job is made. Default: always.
   */
  readonly listeners: string;
  /** When the clock adds a job; null if it does not. */
  readonly repeat: ((settings: ScheduleSettings) => Repeat) | null;
};

type Options = Partial<Pick<QueueDefinition, "retryForever" | "on" | "listeners" | "repeat">> &
  Pick<QueueDefinition, "retry" | "concurrency">;

/**
 * Declares a queue. Its payload is ids, with `workspace_id` among them unless the clock alone adds its jobs; the truth
 * is in the rows they name.
 */
export function defineQueue<Shape extends z.ZodRawShape>(
  name: string,
  { payload, ...options }: Options & { payload: z.ZodObject<Shape> },
) {
  const defaults = { retryForever: false, on: [], listeners: "true", repeat: null };
  return Object.freeze({ ...defaults, ...options, name, payload: payload.strict() });
}

/** A queue whose jobs are for events: what a job is for stays in the table `reaction` until it is done. */
export const isForEvents = ({ on }: Pick<QueueDefinition, "on">): boolean => on.length > 0;

/** Waits in seconds, as milliseconds. */
export const seconds = (...waits: number[]): number[] => waits.map((wait) => wait * 1000);

/** The wait before the next attempt of a job that was tried so many times. */
export const waitAfter = ({ retry }: QueueDefinition, attemptsMade: number): number =>
  retry[attemptsMade - 1] ?? retry.at(-1) ?? 0;

export const id = z.uuid();
