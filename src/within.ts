import { setTimeout as sleep } from "node:timers/promises";

/** Waits for work, but no longer than `ms`. Work that takes longer goes on unwatched. */
export const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, sleep(ms, undefined, { ref: false })]);
