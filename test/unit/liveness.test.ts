import { expect, test } from "vitest";
import { LIVENESS_MS } from "../../src/domain/kernel/liveness.sql.ts";
import { openLiveness } from "../../src/workers/delivery/heartbeat.ts";

let now = 0;
const liveness = () => {
  now = 1_000;
  return openLiveness(() => now);
};

test("a process is not known to be alive before its first heartbeat", () => {
  const own = liveness();
  expect(own.livedSince(now)).toBe(false);
  own.stored(now);
  expect(own.livedSince(now)).toBe(true);
  expect(own.livedSince(now - 1)).toBe(false);
});

test("heartbeats in time continue the period that began with the first one", () => {
  const own = liveness();
  own.stored(1_000);
  for (const sentAt of [1_300, 1_600]) {
    now = sentAt + 200;
    own.stored(sentAt);
  }
  expect(own.livedSince(1_000)).toBe(true);
});

test("the period ends LIVENESS_MS after the last heartbeat was sent", () => {
  const own = liveness();
  own.stored(1_000);
  now = 1_000 + LIVENESS_MS - 1;
  expect(own.livedSince(1_000)).toBe(true);
  now = 1_000 + LIVENESS_MS;
  expect(own.livedSince(1_000)).toBe(false);
});

test("a heartbeat that may have been stored too late begins a new period at its reply", () => {
  const own = liveness();
  own.stored(1_000);
  now = 1_000 + LIVENESS_MS + 50;
  // It was sent in time, but others may have taken over before it was stored.
  own.stored(1_000 + LIVENESS_MS - 50);
  expect(own.livedSince(now - 1)).toBe(false);
  expect(own.livedSince(now)).toBe(true);
});

test("a process that stops is not known to be alive", () => {
  const own = liveness();
  own.stored(1_000);
  own.end();
  expect(own.livedSince(1_000)).toBe(false);
});
