import { Pool } from "undici";

export type Target = {
  url: string;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: () => string;
  status: number;
};

export type Result = { rps: number; p50: number; p99: number };

/**
 * Keeps `connections` requests in progress for a while. A wrong status ends the benchmark, because a fast error is
 * not a result.
 */
export async function load(target: Target, { connections, ms }: { connections: number; ms: number }): Promise<Result> {
  const { origin, pathname, search } = new URL(target.url);
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const latencies: number[] = [];
  const end = performance.now() + ms;
  const started = performance.now();
  const one = async () => {
    while (performance.now() < end) {
      const sent = performance.now();
      const body = target.body?.();
      const reply = await pool.request({
        path: pathname + search,
        method: target.method ?? "GET",
        headers: { ...target.headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body }),
      });
      const text = await reply.body.text();
      if (reply.statusCode !== target.status)
        throw new Error(`${target.url} answered ${reply.statusCode}: ${text.slice(0, 300)}`);
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  const seconds = (performance.now() - started) / 1000;
  await pool.close();
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return { rps: latencies.length / seconds, p50: at(0.5), p99: at(0.99) };
}

export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

export const ROUNDS = 11;

/** Median time of `work`, run `ROUNDS` times, in milliseconds. */
export async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times);
}

/**
 * Runs the variants alternately, round after round, so that disturbances of the machine affect all of them. The order
 * rotates. Returns each variant's results by round.
 */
export async function interleave<Name extends string>(
  variants: Record<Name, () => Promise<Result>>,
  rounds: number,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(variants) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>;
  for (let round = 0; round < rounds; round++) {
    const order = names.map((_, index) => names[(index + round) % names.length]!);
    for (const name of order) results[name].push(await variants[name]());
  }
  return results;
}
