/**
 * Runs works, only some of them at a time, in the order in which they come. So thousands that begin at the same moment
 * leave connections and threads to everything else.
 */
export function atATime(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= max) await new Promise<void>((begin) => waiting.push(begin));
    else running++;
    try {
      return await work();
    } finally {
      // The slot passes to the next one.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
