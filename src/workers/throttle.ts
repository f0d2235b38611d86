const QUIET_MS = 10_000;

/**
 * Calls `report` at most every ten seconds, because every job fails while a store is unavailable, and one log line is
 * enough.
 */
export function throttled<Args extends unknown[]>(report: (...args: Args) => void): (...args: Args) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (...args) => {
    if (performance.now() - last < QUIET_MS) return;
    last = performance.now();
    report(...args);
  };
}
