import { setTimeout as sleep } from "node:timers/promises";

const TRIES = 6;
const PAUSE_MS = 1_000;

/** Tries again for some seconds: what was sent cannot be unsent, so its end is worth waiting for a store that is away. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (tried === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
