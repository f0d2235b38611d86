import { setTimeout as sleep } from "node:timers/promises";

/** Waits for work, but at most `ms` milliseconds. The work continues after that, and its result is ignored. */
export const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, sleep(ms, undefined, { ref: false })]);
