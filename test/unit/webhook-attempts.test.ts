import { describe, expect, test } from "vitest";
import { judge } from "../../src/domain/delivery/webhooks/health.ts";
import { MESSAGE_LIMIT } from "../../src/domain/events/bounded.ts";
import { type EventRow, messageOf } from "../../src/domain/events/message.ts";
import type { Outcome } from "../../src/domain/kernel/ports/outbound.ts";

const rules = { retrySeconds: [5, 300] };
const answered = (status: number, retry_after_seconds: number | null = null): Outcome => ({
  kind: "answered",
  status,
  retry_after_seconds,
  latency_ms: 7,
  body: "said",
});
const first = { attempt: 1, test: false };

describe("an attempt", () => {
  test("with 2xx has succeeded", () => {
    for (const status of [200, 204, 299]) {
      expect(judge(answered(status), first, rules, 0.5)).toEqual({
        state: "succeeded",
        final: true,
        wait_ms: null,
        status,
        latency_ms: 7,
        error: "",
        response_body: "said",
        gone: false,
        counts: true,
      });
    }
  });

  test("with any other status is retried by the schedule, with 20 % jitter", () => {
    const waits = (random: number) =>
      [1, 2, 3].map((attempt) => judge(answered(500), { attempt, test: false }, rules, random).wait_ms);
    expect(waits(0.5)).toEqual([5_000, 300_000, null]);
    expect(waits(0)).toEqual([4_000, 240_000, null]);
    expect(waits(1)).toEqual([6_000, 360_000, null]);
    for (const status of [199, 301, 304, 400, 404])
      expect(judge(answered(status), first, rules, 0.5).state).toBe("retrying");
    expect(judge(answered(500), { attempt: 3, test: false }, rules, 0.5)).toMatchObject({
      state: "failed",
      final: true,
    });
  });

  test("respects a longer Retry-After of 429 and 503, up to a day", () => {
    const wait = (status: number, seconds: number) => judge(answered(status, seconds), first, rules, 0.5).wait_ms;
    expect(wait(429, 60)).toBe(60_000);
    expect(wait(503, 60)).toBe(60_000);
    expect(wait(503, 1)).toBe(5_000);
    expect(wait(429, 1_000_000)).toBe(86_400_000);
    expect(wait(500, 60)).toBe(5_000);
  });

  test("with 410 is the last one", () => {
    expect(judge(answered(410), first, rules, 0.5)).toMatchObject({ state: "failed", final: true, gone: true });
    expect(judge(answered(410), { attempt: 1, test: true }, rules, 0.5)).toMatchObject({
      state: "failed",
      gone: false,
    });
  });

  test("without an answer has status 0", () => {
    const outcome: Outcome = { kind: "unreachable", reason: "dns", latency_ms: 3, message: "No such host." };
    expect(judge(outcome, first, rules, 0.5)).toMatchObject({
      state: "retrying",
      status: 0,
      error: "No such host.",
      response_body: null,
      counts: true,
    });
  });

  test("of a test is not retried and does not count", () => {
    expect(judge(answered(500), { attempt: 1, test: true }, rules, 0.5)).toMatchObject({ final: true, counts: false });
  });

  test("that failed for an internal reason does not count", () => {
    const fault = { kind: "fault", latency_ms: 0, message: "Ours.", mayHeal: true } as const;
    expect(judge(fault, first, rules, 0.5)).toMatchObject({ state: "retrying", counts: false, error: "Ours." });
    expect(judge({ ...fault, mayHeal: false }, first, rules, 0.5)).toMatchObject({ state: "failed", final: true });
  });
});

describe("a message", () => {
  const event: EventRow = {
    id: "1",
    type: "issue.created",
    actor_id: "2",
    actor_kind: "agent",
    actor_name: null,
    cause: { session_id: "3", key_id: "4" },
    data: { id: "5" },
    previous: null,
    changed: null,
    truncated: false,
    created_at: "2026-01-02T03:04:05.678Z",
  };
  const workspace = { id: "6", slug: "acme", plan: "free" };

  test("contains only the documented fields", () => {
    expect(messageOf(event, workspace, 7)).toEqual({
      id: "1",
      type: "issue.created",
      timestamp: "2026-01-02T03:04:05.678Z",
      sequence: 7,
      workspace: { id: "6", slug: "acme" },
      actor: { id: "2", kind: "agent", name: null },
      cause: { automation_id: null, agent_session_id: "3", workflow_run_id: null },
      data: { id: "5" },
    });
  });

  const weight = (data: unknown) => {
    const message = messageOf({ ...event, data }, workspace, 7);
    return { message, bytes: Buffer.byteLength(JSON.stringify(message)) };
  };

  test("is cut only as far as necessary, never within a character", () => {
    const { message, bytes } = weight({ id: "5", long: `x${"😀".repeat(100_000)}`, list: [{ short: "kept" }] });
    expect(bytes).toBeLessThanOrEqual(MESSAGE_LIMIT);
    expect(message).toMatchObject({ truncated: true, data: { id: "5", list: [{ short: "kept" }] } });
    const { long } = message.data as { long: string };
    expect(long.isWellFormed()).toBe(true);
    expect(long.length).toBeGreaterThan(65_000);
    expect(weight({ id: "5", long: "x".repeat(250_000) }).message).not.toHaveProperty("truncated");
  });

  test("of very many short texts contains only the object's id", () => {
    const { message, bytes } = weight({ id: "5", many: Array.from({ length: 40_000 }, (_, n) => `text ${n}`) });
    expect(bytes).toBeLessThan(1_000);
    expect(message).toMatchObject({ truncated: true, data: { id: "5" } });
  });
});
