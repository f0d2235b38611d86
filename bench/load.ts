import { openConnection } from "./connection.ts";

export type Target = {
  url: string;
  method?: "GET" | "POST" | "PATCH";
  headers?: Record<string, string>;
  /** What follows the URL's path, for calls about changing objects. */
  path?: () => string;
  body?: () => string;
  status: number;
};

export type Result = { rps: number; p50: number; p99: number; calls: number; bytes: number };

/**
 * Keeps `connections` requests in progress for a while, or until `calls` were sent. A wrong status ends the benchmark,
 * because a fast error is not a result. `bytes` are those of a reply's body.
 */
export async function load(
  target: Target,
  { connections, ms, calls = Number.POSITIVE_INFINITY }: { connections: number; ms: number; calls?: number },
): Promise<Result> {
  const { hostname, port } = new URL(target.url);
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(hostname, Number(port))));
  const latencies: number[] = [];
  let [bytes, left] = [0, calls];
  const request = requestsOf(target);
  const started = performance.now();
  const end = started + ms;
  try {
    await Promise.all(
      open.map(async ({ send }) => {
        while (left-- > 0) {
          const sent = performance.now();
          if (sent >= end) break;
          const reply = await send(request());
          if (reply.status !== target.status)
            throw new Error(`${target.url} answered ${reply.status}: ${reply.body().slice(0, 300)}`);
          latencies.push(performance.now() - sent);
          bytes += reply.bytes;
        }
      }),
    );
  } finally {
    for (const connection of open) connection.close();
  }
  const seconds = (performance.now() - started) / 1000;
  const count = latencies.length;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(count - 1, Math.floor(count * share))] ?? 0;
  return { rps: count / seconds, p50: at(0.5), p99: at(0.99), calls: count, bytes: bytes / count };
}

function requestsOf({ url, method = "GET", headers = {}, path, body }: Target): () => string {
  const { host, pathname, search } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const end = ` HTTP/1.1\r\n${lines.join("")}`;
  return () => {
    const start = `${method} ${pathname}${path?.() ?? ""}${search}${end}`;
    const text = body?.();
    if (text === undefined) return `${start}\r\n`;
    return `${start}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  };
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
export async function interleave<Name extends string, Measured>(
  variants: Record<Name, () => Promise<Measured>>,
  rounds: number,
): Promise<Record<Name, Measured[]>> {
  const names = Object.keys(variants) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Measured[]])) as Record<Name, Measured[]>;
  for (let round = 0; round < rounds; round++) {
    const order = names.map((_, index) => names[(index + round) % names.length]!);
    for (const name of order) results[name].push(await variants[name]());
  }
  return results;
}
