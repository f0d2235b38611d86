import { z } from "zod";

/** Everything about a queue: what its jobs carry and how they are tried again. */
export type QueueDefinition<Payload extends object = object> = {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /** Waits before the second, third, … attempt of a job whose handler threw, in milliseconds. */
  readonly retry: readonly number[];
  /** A job is never given up: the last wait repeats. */
  readonly tireless: boolean;
  /** Jobs that one worker process has in hand. */
  readonly concurrency: number;
};

/**
 * Declares a queue. Its payload is ids, with `workspace_id` among them unless the clock alone adds its jobs; the truth
 * is in the rows they name.
 */
export function defineQueue<Shape extends z.ZodRawShape>(
  name: string,
  options: { payload: z.ZodObject<Shape>; retry: readonly number[]; tireless?: boolean; concurrency: number },
) {
  const { payload, retry, tireless = false, concurrency } = options;
  return Object.freeze({ name, payload: payload.strict(), retry, tireless, concurrency });
}

/** Waits in seconds, as milliseconds. */
export const seconds = (...waits: number[]): number[] => waits.map((wait) => wait * 1000);

/** The wait before the next attempt of a job that was tried so many times. */
export const waitAfter = ({ retry }: QueueDefinition, attemptsMade: number): number =>
  retry[attemptsMade - 1] ?? retry.at(-1) ?? 0;

export const id = z.uuid();
