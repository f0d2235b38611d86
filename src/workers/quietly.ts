const QUIET_MS = 10_000;

/** While a store is away everybody complains at each try; a line every ten seconds is enough. */
export function quietly<Args extends unknown[]>(report: (...args: Args) => void): (...args: Args) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (...args) => {
    if (performance.now() - last < QUIET_MS) return;
    last = performance.now();
    report(...args);
  };
}
