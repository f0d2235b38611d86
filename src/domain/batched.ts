import type { Database } from "./ports.ts";

/**
 * Makes one statement of calls that come while the one before is on its way: many jobs at a time cost few round trips,
 * and a lone one does not wait. Answers stand in the order of the items.
 * When a batch fails, its items run one by one, so that only those at fault throw.
 */
export function batched<Item, Result>(
  run: (database: Database, items: Item[]) => Promise<Result[]>,
  { most }: { most: number },
): (database: Database, item: Item) => Promise<Result> {
  const lines = new WeakMap<Database, Line<Item, Result>>();
  return (database, item) => {
    const line = lines.get(database) ?? openLine((items) => run(database, items), most);
    lines.set(database, line);
    return line(item);
  };
}

type Line<Item, Result> = (item: Item) => Promise<Result>;
type Waiting<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };

function openLine<Item, Result>(run: (items: Item[]) => Promise<Result[]>, most: number): Line<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let running = false;

  async function work() {
    running = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await settle(batch);
    }
    running = false;
  }

  async function settle(batch: Waiting<Item, Result>[]) {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result);
    } catch (error) {
      if (batch.length === 1) return batch[0]?.reject(error);
      for (const one of batch) await settle([one]);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // After this tick, so that calls made together go together.
      if (!running) {
        running = true;
        setImmediate(work);
      }
    });
}
