import { expect, test } from "vitest";
import { LIVENESS_MS } from "../../src/domain/kernel/liveness.sql.ts";
import { openLiveness } from "../../src/workers/delivery/heartbeat.ts";

let now = 0;
const liveness = () => {
  now = 1_000;
  return openLiveness(() => now);
};

test("a process is not known to be alive before its first heartbeat", () => {
  expect(liveness().since()).toBe(Number.POSITIVE_INFINITY);
});

test("heartbeats in time continue the period that began with the first one", () => {
  const own = liveness();
  for (const sentAt of [1_000, 1_300, 1_600]) {
    now = sentAt + 200;
    own.stored(sentAt);
  }
  expect(own.since()).toBe(1_000);
});

test("the period ends as long after the last heartbeat was sent as others wait", () => {
  const own = liveness();
  own.stored(1_000);
  now = 1_000 + LIVENESS_MS - 1;
  expect(own.since()).toBe(1_000);
  now = 1_000 + LIVENESS_MS;
  expect(own.since()).toBe(Number.POSITIVE_INFINITY);
});

test("a heartbeat that may have been stored too late begins a new period", () => {
  const own = liveness();
  own.stored(1_000);
  now = 1_000 + LIVENESS_MS + 50;
  // It was sent in time, but others may have taken over before it was stored.
  own.stored(1_000 + LIVENESS_MS - 50);
  expect(own.since()).toBe(1_000 + LIVENESS_MS - 50);
});
