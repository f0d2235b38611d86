import { randomUUID } from "node:crypto";
import { BUCKETS, bucketOf } from "../domain/kernel/latency-histogram.ts";
import type { KeyUsage, KeyUsageBuffer, KeyUsageFlush } from "../domain/kernel/ports/key-usage.ts";
import type { Log } from "../domain/kernel/ports/ports.ts";

/**
 * Counts the calls of keys in memory, and adds the counts to the buffer every second. While the buffer is away, counts
 * stay here, and a flush whose reply was lost is repeated unchanged, so that it is added once.
 */
export type KeyUsageCounter = {
  count(keyId: string, status: number, ms: number): void;
  /** Hands over all counts: to the buffer or, if that is away, to `keep`. */
  close(): Promise<void>;
};

const FLUSH_MS = 1_000;
const DAY_MS = 86_400_000;
/** Adding these takes Redis a few milliseconds. */
const KEYS_PER_FLUSH = 200;
/** Maximum number of keys with counts in memory. Calls of others are not counted. */
const MAX_KEYS = 20_000;

type Tally = { clientErrors: number; serverErrors: number; rateLimited: number; latencies: Uint32Array };

export function openKeyUsageCounter(options: {
  buffer: KeyUsageBuffer;
  keep: (flushes: readonly KeyUsageFlush[]) => Promise<void>;
  log: Log;
}): KeyUsageCounter {
  const { buffer, keep, log } = options;
  const process = randomUUID();
  let number = 0;
  let day = 0;
  let tallies = new Map<string, Tally>();
  const flushes: KeyUsageFlush[] = [];
  let uncounted = 0;
  let isAway = false;
  let timer: NodeJS.Timeout | null = null;
  let flushing: Promise<void> | null = null;

  /** Makes flushes of the counts. They do not change any more. */
  function freeze() {
    const usage = [...tallies].map(([keyId, tally]) => usageOf(keyId, day, tally));
    tallies = new Map();
    for (let at = 0; at < usage.length; at += KEYS_PER_FLUSH) {
      number++;
      flushes.push({ process, number, usage: usage.slice(at, at + KEYS_PER_FLUSH) });
    }
  }

  async function send() {
    for (let [next] = flushes; next; [next] = flushes) {
      await buffer.add(next);
      flushes.shift();
    }
  }

  async function flush() {
    try {
      // While the buffer is away, the counts of a day stay together.
      await send();
      freeze();
      await send();
      isAway = false;
    } catch (error) {
      if (!isAway) log.warn({ err: error }, "the usage of keys is kept in memory");
      isAway = true;
    }
    if (uncounted > 0) log.error({ calls: uncounted }, "calls were not counted, because too many keys are in memory");
    uncounted = 0;
  }

  function flushLater() {
    timer ??= setTimeout(async () => {
      flushing = flush();
      await flushing;
      timer = null;
      if (flushes.length > 0 || tallies.size > 0) flushLater();
    }, FLUSH_MS).unref();
  }

  function tallyOf(keyId: string): Tally | null {
    const now = Math.floor(Date.now() / DAY_MS);
    if (now !== day) freeze();
    day = now;
    const known = tallies.get(keyId);
    if (known) return known;
    if (tallies.size >= MAX_KEYS) return null;
    const tally = { clientErrors: 0, serverErrors: 0, rateLimited: 0, latencies: new Uint32Array(BUCKETS) };
    tallies.set(keyId, tally);
    flushLater();
    return tally;
  }

  return {
    count(keyId, status, ms) {
      const tally = tallyOf(keyId);
      if (!tally) {
        uncounted++;
        return;
      }
      tally.latencies[bucketOf(ms)]!++;
      if (status >= 500) tally.serverErrors++;
      else if (status >= 400) tally.clientErrors++;
      if (status === 429) tally.rateLimited++;
    },
    async close() {
      if (timer) clearTimeout(timer);
      await flushing;
      // There is little time, and what is kept is added as soon as the buffer is back.
      if (!isAway) await flush();
      freeze();
      if (flushes.length === 0) return;
      await keep(flushes).catch((error) => log.error({ err: error, flushes }, "the usage of keys was not stored"));
    },
  };
}

const usageOf = (keyId: string, day: number, tally: Tally): KeyUsage => ({
  key_id: keyId,
  day: new Date(day * DAY_MS).toISOString().slice(0, 10),
  client_errors: tally.clientErrors,
  server_errors: tally.serverErrors,
  rate_limited: tally.rateLimited,
  latencies: trimmed(tally.latencies),
});

/** Without the empty buckets at the end. */
const trimmed = (latencies: Uint32Array): number[] => [
  ...latencies.subarray(0, latencies.findLastIndex((count) => count > 0) + 1),
];
