import fc from "fast-check";
import { expect, test } from "vitest";
import { addUp, BUCKETS, bucketOf, latencyOf, percentile } from "../../src/domain/kernel/latency-histogram.ts";

/** Percentiles from buckets, compared with those of the sorted latencies. */

const latency = fc.oneof(
  fc.double({ min: 0.1, max: 60_000, noNaN: true }),
  fc.double({ min: 0.1, max: 20, noNaN: true }),
  fc.integer({ min: 1, max: 60_000 }),
);
const latencies = fc.array(latency, { minLength: 1, maxLength: 300 });
const share = fc.constantFrom(0.01, 0.5, 0.9, 0.95, 0.99, 1);

function histogramOf(all: readonly number[]): number[] {
  const counts = new Array<number>(BUCKETS).fill(0);
  for (const ms of all) counts[bucketOf(ms)]!++;
  return counts;
}

/** By the nearest rank. */
const exact = (all: readonly number[], of: number) =>
  all.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(all.length * of)) - 1]!;

const isNear = (found: number | null, wanted: number) =>
  found !== null && Math.abs(found - wanted) <= wanted * 0.05 + 1e-9;

test("percentiles up to a minute are at most 5 % off", () => {
  fc.assert(
    fc.property(latencies, share, (all, of) => isNear(percentile(histogramOf(all), of), exact(all, of))),
    { numRuns: 2_000 },
  );
});

test("the sum of histograms has the percentiles of all latencies", () => {
  fc.assert(
    fc.property(fc.array(latencies, { minLength: 1, maxLength: 5 }), share, (parts, of) => {
      const sum = addUp(parts.map((part) => histogramOf(part).slice(0, bucketOf(Math.max(...part)) + 1)));
      return percentile(sum, of) === percentile(histogramOf(parts.flat()), of);
    }),
  );
});

test("every latency has a bucket, and buckets are in order", () => {
  for (const ms of [0, 1e-9, 0.1, 3_600_000, 1e12, Number.MAX_VALUE]) {
    expect(bucketOf(ms)).toBeGreaterThanOrEqual(0);
    expect(bucketOf(ms)).toBeLessThan(BUCKETS);
  }
  const values = Array.from({ length: BUCKETS }, (_, bucket) => latencyOf(bucket));
  expect(values).toEqual(values.toSorted((a, b) => a - b));
  expect(percentile([], 0.5)).toBe(0);
  expect(percentile([0, 0], 0.5)).toBe(0);
});
