import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Turns } from "../../src/api/pages/live/turns.ts";

/** Open pages hear of a change in turn. */

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const waiting = (count: number) => {
  const told: number[] = [];
  return { told, all: Array.from({ length: count }, (_, n) => ({ yourTurn: () => void told.push(n) })) };
};

test("few hear at once, many in turn, and one who waits already hears once", () => {
  const turns = new Turns();
  const { told, all } = waiting(200);
  for (const one of all.slice(0, 30)) turns.take(one);
  expect(told).toHaveLength(30);
  for (const one of all.slice(30)) turns.take(one);
  for (const one of all.slice(40)) turns.take(one);
  expect(told).toHaveLength(40);
  vi.advanceTimersByTime(1_000);
  expect(told).toHaveLength(80);
  // Those who heard already wait behind the others.
  turns.take(all[0]!);
  vi.advanceTimersByTime(60_000);
  expect(told.slice(0, 200).toSorted((a, b) => a - b)).toEqual(all.map((_, n) => n));
  expect([told.length, told.at(-1)]).toEqual([201, 0]);
  expect(vi.getTimerCount()).toBe(0);
});

test("one who has left does not hear, and after silence many hear at once again", () => {
  const turns = new Turns();
  const { told, all } = waiting(100);
  for (const one of all.slice(0, 50)) turns.take(one);
  turns.leave(all[45]!);
  vi.advanceTimersByTime(10_000);
  expect(told).toHaveLength(49);
  expect(told).not.toContain(45);
  for (const one of all.slice(50)) turns.take(one);
  expect(told).toHaveLength(89);
  turns.stop();
  vi.advanceTimersByTime(10_000);
  expect(told).toHaveLength(89);
  expect(vi.getTimerCount()).toBe(0);
});
