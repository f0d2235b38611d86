import { expect, test } from "vitest";
import { keyBetween, keyNear } from "../../src/domain/kernel/rank-keys.ts";

test.each(["low", "high"] as const)("thousands of keys near the %s side of a gap stay short and in order", (side) => {
  let [low, high] = ["a1", "a2"];
  for (let n = 0; n < 5_000; n++) {
    const key = keyNear(low, high, side);
    expect(key > low && key < high).toBe(true);
    expect(key.length).toBeLessThan(40);

    if (side === "low") low = key;
    else high = key;
  }
  [low, high] = ["a1", "a2"];
  for (let n = 0; n < 300; n++) {
    const key = keyBetween(low, high);
    if (side === "low") low = key;
    else high = key;
  }
  expect(Math.max(low.length, high.length)).toBeGreaterThan(40);
});

test("a key at an open end is the next one", () => {
  expect(keyNear("a1", null, "low")).toBe(keyBetween("a1", null));
  expect(keyNear(null, "a1", "high")).toBe(keyBetween(null, "a1"));
});
