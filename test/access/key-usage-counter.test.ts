import { Redis } from "ioredis";
import { afterEach, expect, test, vi } from "vitest";
import { openKeyUsageBuffer } from "../../src/adapters/key-usage-buffer.ts";
import { openKeyUsageCounter } from "../../src/adapters/key-usage-counter.ts";
import { rollUpKeyUsage } from "../../src/domain/access/key-usage/roll-up.ts";
import { backgroundOf } from "../../src/domain/events/background.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import type { KeyUsageFlush } from "../../src/domain/kernel/ports/key-usage.ts";
import type { Log } from "../../src/domain/kernel/ports/ports.ts";
import { keyIdOf } from "../support/key-usage.ts";
import { world } from "../support/world.ts";

/** The counts that a web process has in memory. */

afterEach(() => {
  vi.useRealTimers();
});

/** A log whose warnings and errors a test reads. */
function listening() {
  const lines: { level: string; sentence: string; calls?: unknown }[] = [];
  const write = (level: string) => (fields: object, sentence: string) => {
    lines.push({ level, sentence, ...("calls" in fields ? { calls: fields.calls } : {}) });
  };
  const log: Log = { debug: () => {}, info: () => {}, warn: write("warn"), error: write("error") };
  return { log, lines };
}

test("calls around midnight belong to the day (UTC) on which they were answered", async () => {
  const here = await world();
  const id = await keyIdOf(here, here.owner);
  const { resources } = here.app;
  const keep = () => expect.fail("Redis is there.");
  const counter = openKeyUsageCounter({ buffer: resources.ports.keyUsage, keep, log: listening().log });
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-02-28T23:59:59.999Z") });
  counter.count(id, 200, 5);
  counter.count(id, 404, 5);
  vi.setSystemTime(new Date("2026-03-01T00:00:00.000Z"));
  counter.count(id, 503, 5);
  counter.count(id, 429, 5);
  counter.count(id, 200, 5);
  vi.useRealTimers();
  await counter.close();
  await rollUpKeyUsage(backgroundOf(resources, new Date().toISOString()), new AbortController().signal);
  const rows = await here.sql(
    `select to_char(day, 'YYYY-MM-DD') as day, requests, client_errors, server_errors, rate_limited
     from api_key_usage where key_id = $1 order by day`,
    [id],
  );
  expect(rows).toEqual([
    { day: "2026-02-28", requests: 2, client_errors: 1, server_errors: 0, rate_limited: 0 },
    { day: "2026-03-01", requests: 3, client_errors: 1, server_errors: 1, rate_limited: 1 },
  ]);
});

test("without Redis the memory for counts is bounded, and the log says what was not counted", async () => {
  const redis = new Redis({ lazyConnect: true, enableOfflineQueue: false });
  const { log, lines } = listening();
  const kept: KeyUsageFlush[] = [];
  const keep = async (flushes: readonly KeyUsageFlush[]) => {
    kept.push(...flushes);
  };
  const counter = openKeyUsageCounter({ buffer: openKeyUsageBuffer(redis, "away"), keep, log });
  const ids = Array.from({ length: 20_010 }, () => newId());
  for (const id of ids) counter.count(id, 200, 5);
  counter.count(ids[0]!, 200, 5);
  await vi.waitFor(() => expect(lines).toHaveLength(2), 5_000);
  await counter.close();
  redis.disconnect();
  expect(lines).toEqual([
    { level: "warn", sentence: "the usage of keys is kept in memory" },
    { level: "error", sentence: "calls were not counted, because too many keys are in memory", calls: 10 },
  ]);
  const calls = kept.flatMap(({ usage }) => usage.flatMap(({ latencies }) => latencies));
  expect(calls.reduce((sum, count) => sum + count, 0)).toBe(20_001);
  expect(kept.map(({ number }) => number)).toEqual(kept.map((_, index) => index + 1));
  expect(Math.max(...kept.map(({ usage }) => usage.length))).toBeLessThanOrEqual(200);
});
