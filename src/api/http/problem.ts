import { ERRORS } from "../../domain/error-catalogue.ts";
import { busyRefusal, Refusal } from "../../domain/kernel/errors.ts";
import { Busy, type Log } from "../../domain/kernel/ports/ports.ts";

/** Errors on the wire: application/problem+json (RFC 9457), with the reference's envelope as member `error`. */

export type Problem = { refusal: Refusal; status: number; body: string; headers: Record<string, string> };

/** Turns whatever was thrown into an answer; a fault of ours is logged here, once. */
export function problemOf(
  error: unknown,
  {
    baseUrl,
    requestId,
    log,
    isAway,
  }: {
    baseUrl: string;
    requestId: string;
    log: Log;
    /** Whether the error means that a store is away for the moment. */
    isAway: (error: unknown) => boolean;
  },
): Problem {
  const refusal = error instanceof Refusal ? error : fault(error, log, requestId, isAway);
  const { definition, message, details } = refusal;
  const { code, coarse, status, title } = definition;
  const body = JSON.stringify({
    type: `${baseUrl}/problems/${code}`,
    title,
    status,
    detail: message,
    code,
    request_id: requestId,
    error: { code: coarse, message, details },
    ...refusal.problem,
  });
  const headers = { "Content-Type": "application/problem+json; charset=utf-8", ...refusal.headers };
  return { refusal, status, body, headers };
}

function fault(error: unknown, log: Log, requestId: string, isAway: (error: unknown) => boolean): Refusal {
  if (error instanceof Busy) return busyRefusal();
  if (isAway(error)) {
    log.warn({ err: error, request_id: requestId }, "a call failed because a store is away");
    return new Refusal("unavailable", { headers: { "Retry-After": "2" } });
  }
  log.error({ err: error, request_id: requestId }, "a call failed");
  return new Refusal("internal_error");
}

/** The text behind `/problems/{code}`, which every problem's `type` points to; null when there is none. */
export function explain(code: string): string | null {
  const error = ERRORS.find((one) => one.code === code);
  return error ? `${error.title} (HTTP ${error.status})\n\n${error.text}\n` : null;
}
