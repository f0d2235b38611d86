import { randomInt } from "node:crypto";

/**
 * Tests of all combinations take too long for each run of the suite. So each run tests a sample: as many as the time
 * allows, chosen by SAMPLE_SEED. `SAMPLE=all` runs all.
 */
export const SAMPLE_SEED = Number(process.env.SAMPLE_SEED ?? randomInt(2 ** 31));

/** Up to `most` of the cases, in their order. The same seed chooses the same cases. */
export function sampled<T>(cases: readonly T[], most: number): readonly T[] {
  if (process.env.SAMPLE === "all" || cases.length <= most) return cases;
  const next = randomFrom(SAMPLE_SEED);
  const chosen = cases
    .map((_, index) => ({ index, weight: next() }))
    .sort((a, b) => a.weight - b.weight)
    .slice(0, most);
  return chosen
    .map(({ index }) => index)
    .sort((a, b) => a - b)
    .map((index) => cases[index]!);
}

/** The seed as a suffix of test names, so that a failure can be repeated. */
export const named = (what: string): string =>
  process.env.SAMPLE === "all" ? what : `${what} (a sample: SAMPLE_SEED=${SAMPLE_SEED})`;

/** Numbers between 0 and 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
