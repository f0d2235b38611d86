import { median } from "./load.ts";

/** A call of Muster, and the least that a bare program would do for it. */
export type FloorCase = [name: string, ours: () => Promise<unknown>, floor: () => Promise<unknown>];

/**
 * Measures each case `times` times, one call at a time, and prints a row: medians, 99th percentiles and the ratio.
 * Returns the medians of our calls in milliseconds.
 */
export async function compareWithFloor(cases: readonly FloorCase[], times: number): Promise<number[]> {
  console.log("                              muster ms        bare ms   ratio");
  const medians: number[] = [];
  for (const [name, ours, floor] of cases) {
    const [mine, theirs] = await alternately(times, ours, floor);
    medians.push(median(mine));
    const ratio = (median(mine) / median(theirs)).toFixed(2).padStart(6);
    console.log(`${name.padEnd(25)}${cell(mine)} ${cell(theirs)}  ${ratio}`);
  }
  return medians;
}

const cell = (times: number[]): string => `${median(times).toFixed(1)} (${at99(times).toFixed(1)})`.padStart(14);

const at99 = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;

async function alternately(rounds: number, ...variants: (() => Promise<unknown>)[]): Promise<[number[], number[]]> {
  const times: number[][] = variants.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of variants.entries()) {
      const started = performance.now();
      await work();
      // The first calls prepare statements and warm caches.
      if (round >= rounds / 10) times[index]!.push(performance.now() - started);
    }
  }
  return times as [number[], number[]];
}
