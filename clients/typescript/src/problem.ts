import type { Problem, ProblemCode } from "./generated/schema.ts";

/** A field that was refused: where it stands in the body (`/title`), why, and what would have been taken. */
export type FieldError = {
  path: string;
  code: string;
  message: string;
  allowed?: unknown[];
  did_you_mean?: string;
} & Record<string, unknown>;

/** New codes are added over time, so a `switch` needs a `default`. */
export type AnyProblemCode = ProblemCode | (string & {});

/** A refusal by the service (RFC 9457). `code` is stable; `detail` says to people what to do next. */
export class MusterProblem extends Error {
  override readonly name: string = "MusterProblem";
  readonly status: number;
  readonly code: AnyProblemCode;
  readonly detail: string;
  readonly requestId: string | null;
  /** What the code adds, such as `limit`, `holder` or `current_version`. */
  readonly details: Record<string, unknown>;
  /** Seconds to wait before another attempt. `null` if the reply did not say. */
  readonly retryAfter: number | null;
  readonly headers: Headers;
  /** The whole problem document. Empty if the reply was none. */
  readonly document: Record<string, unknown>;

  constructor(reply: { status: number; headers: Headers; text: string }) {
    const problem = readProblem(reply.text);
    const detail = problem.detail ?? `The reply has status ${reply.status} and is no problem document.`;
    super(`${reply.status} ${problem.code ?? ""}: ${detail}`);
    this.status = reply.status;
    // A proxy on the way answers without a code.
    this.code = problem.code ?? `http_${reply.status}`;
    this.detail = detail;
    this.requestId = problem.request_id ?? reply.headers.get("x-request-id");
    this.details = problem.error?.details ?? {};
    this.retryAfter = secondsUntilRetry(reply.headers);
    this.headers = reply.headers;
    this.document = problem;
  }

  /** The fields that were refused. Empty unless `code` is `validation_failed`. */
  get errors(): FieldError[] {
    return Array.isArray(this.details.errors) ? (this.details.errors as FieldError[]) : [];
  }
}

type PartialProblem = Partial<Omit<Problem, "error">> & { error?: { details?: Record<string, unknown> } };

function readProblem(text: string): PartialProblem {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as PartialProblem) : {};
  } catch {
    return {};
  }
}

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3). */
export function secondsUntilRetry(headers: Headers): number | null {
  const value = headers.get("retry-after");
  if (value === null || value.trim() === "") return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1000);
}

/**
 * No usable reply came, or not in time. Whether a write has taken effect is unknown: repeat it with the same
 * `idempotencyKey`, and it takes effect once.
 */
export class MusterConnectionError extends Error {
  override readonly name = "MusterConnectionError";
  /** Sent with every attempt. `null` if the call only reads. */
  readonly idempotencyKey: string | null;

  constructor(message: string, options: { cause: unknown; idempotencyKey: string | null }) {
    super(message, { cause: options.cause });
    this.idempotencyKey = options.idempotencyKey;
  }
}

/** The service has ended an event stream for good, such as with the reason `key_revoked` or `no_access`. */
export class MusterStreamClosed extends Error {
  override readonly name = "MusterStreamClosed";
  readonly reason: string;
  /** Where another stream can go on. */
  readonly lastEventId: string | null;

  constructor(reason: string, lastEventId: string | null) {
    super(`The service has closed the stream: ${reason}`);
    this.reason = reason;
    this.lastEventId = lastEventId;
  }
}
