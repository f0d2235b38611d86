import { setTimeout as sleep } from "node:timers/promises";

const MAX_ATTEMPTS = 6;
const PAUSE_MS = 1_000;

/**
 * Runs `work` again for some seconds while it throws. It is for storing the outcome of what was sent and cannot be
 * undone, in case the store is unavailable for a moment. @throws the last error
 */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (tried === MAX_ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
