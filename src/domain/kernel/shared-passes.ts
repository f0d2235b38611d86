/**
 * Shares passes over the work of a key: at most one runs at a time, and all who ask during it share the next one, which
 * sees what was committed before they asked.
 */
export function sharedPasses<Result>(pass: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  const running = new Map<string, Promise<Result>>();
  const waiting = new Map<string, Promise<Result>>();

  function start(key: string): Promise<Result> {
    const own = pass(key).finally(() => {
      if (running.get(key) === own) running.delete(key);
    });
    running.set(key, own);
    return own;
  }

  function startAfter(key: string, earlier: Promise<Result>): Promise<Result> {
    const begin = () => {
      waiting.delete(key);
      return start(key);
    };
    return earlier.then(begin, begin);
  }

  return (key) => {
    const earlier = running.get(key);
    if (!earlier) return start(key);
    const next = waiting.get(key) ?? startAfter(key, earlier);
    waiting.set(key, next);
    return next;
  };
}
