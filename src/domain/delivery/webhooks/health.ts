import type { Outcome } from "../../kernel/ports/outbound.ts";
import type { WebhookRules } from "../../kernel/settings.ts";

/** After this many failed messages in a row, an endpoint gets only two deliveries at a time. */
export const SLOW_DOWN_AFTER = 3;
export const FAILING_CONCURRENCY = 2;

/** A webhook is disabled after this many failed messages in a row, if it also had no success for this many hours. */
export const DISABLE_AFTER = { messages: 20, hours: 72 };
/** After half of these hours, the webhook counts as failing, and people are notified. */
export const WARN_AFTER = { messages: 10, hours: 36 };

/** The message could not be built or sent because of an internal error, which the receiver cannot fix. */
export type Fault = { kind: "fault"; latency_ms: 0; message: string; mayHeal: boolean };

/** The outcome of an attempt as it is stored. */
export type Verdict = {
  state: "succeeded" | "retrying" | "failed";
  /** No attempt follows. */
  final: boolean;
  /** Milliseconds until the next attempt. */
  wait_ms: number | null;
  /** HTTP status; 0 if there was no reply. */
  status: number;
  latency_ms: number;
  /** For the webhook's owner; empty on success. */
  error: string;
  response_body: string | null;
  /** The receiver replied 410: it wants no more messages. */
  gone: boolean;
  /** Whether the attempt counts for the endpoint's health. Tests and internal errors do not. */
  counts: boolean;
};

/**
 * Returns the outcome of an attempt. 2xx is a success. Everything else is retried while the schedule has a wait left.
 * @param random between 0 and 1, for the jitter
 */
export function judge(
  outcome: Outcome | Fault,
  { attempt, test }: { attempt: number; test: boolean },
  rules: Pick<WebhookRules, "retrySeconds">,
  random: number,
): Verdict {
  const { status, body } = outcome.kind === "answered" ? outcome : { status: 0, body: null };
  const counts = !test && outcome.kind !== "fault";
  const common = { status, latency_ms: outcome.latency_ms, response_body: body, counts };
  if (status >= 200 && status < 300) {
    return { ...common, state: "succeeded", final: true, wait_ms: null, error: "", gone: false };
  }

  const error = outcome.kind === "answered" ? `The receiver answered ${status}.` : outcome.message;
  const gone = status === 410 && !test;
  const scheduled = rules.retrySeconds[attempt - 1];
  const hopeless = test || gone || (outcome.kind === "fault" && !outcome.mayHeal);
  if (hopeless || scheduled === undefined) {
    return { ...common, state: "failed", final: true, wait_ms: null, error, gone };
  }
  const wait_ms = Math.round(Math.max(jittered(scheduled, random), askedFor(outcome)) * 1000);
  return { ...common, state: "retrying", final: false, wait_ms, error, gone };
}

/** ±20 %, so that messages that failed together are not retried together. */
const jittered = (seconds: number, random: number) => seconds * (0.8 + 0.4 * random);

const MAX_RETRY_AFTER_SECONDS = 24 * 3600;

/** Returns the receiver's Retry-After in seconds, of a 503 (RFC 9110 §10.2.3) or a 429 (RFC 6585 §4). */
function askedFor(outcome: Outcome | Fault): number {
  if (outcome.kind !== "answered" || (outcome.status !== 429 && outcome.status !== 503)) return 0;
  return Math.min(outcome.retry_after_seconds ?? 0, MAX_RETRY_AFTER_SECONDS);
}
