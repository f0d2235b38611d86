/** Lets other calls run before long work continues, so that they need not wait for all of it. */
export const letOthersRun = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Milliseconds of uninterrupted work. */
const TURN_MS = 8;

/**
 * Returns a function to call between the steps of long work. It lets other calls run if the work has lasted for some
 * milliseconds, so steps may be short on a fast machine and long on a slow one.
 */
export function openPauses(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await letOthersRun();
    since = performance.now();
  };
}
