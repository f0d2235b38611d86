import { busyRefusal, Refusal } from "../../domain/kernel/errors.ts";
import { Busy, type Log } from "../../domain/kernel/ports/ports.ts";

/** Errors as application/problem+json (RFC 9457), with the reference's error envelope as member `error`. */

export type Problem = { refusal: Refusal; status: number; body: string; headers: Record<string, string> };

/** Converts any error to a reply. Bugs are logged here, once. */
export function problemOf(
  error: unknown,
  {
    baseUrl,
    requestId,
    log,
    isUnavailable,
  }: {
    baseUrl: string;
    requestId: string;
    log: Log;
    /** Whether the error means that Postgres or Redis is unavailable. */
    isUnavailable: (error: unknown) => boolean;
  },
): Problem {
  const refusal = error instanceof Refusal ? error : fault(error, log, requestId, isUnavailable);
  const { status } = refusal;
  const body = JSON.stringify(documentOf(refusal, baseUrl, requestId));
  const headers = { "Content-Type": "application/problem+json; charset=utf-8", ...refusal.headers };
  return { refusal, status, body, headers };
}

/** The body of a refused call. `type` is the address of the page that explains the code. */
export function documentOf({ definition, message, details, problem }: Refusal, baseUrl: string, requestId: string) {
  const { code, coarse, status, title } = definition;
  return {
    type: `${baseUrl}/problems/${code}`,
    title,
    status,
    detail: message,
    code,
    request_id: requestId,
    error: { code: coarse, message, details },
    ...problem,
  };
}

function fault(error: unknown, log: Log, requestId: string, isUnavailable: (error: unknown) => boolean): Refusal {
  if (error instanceof Busy) return busyRefusal();
  if (isUnavailable(error)) {
    log.warn({ err: error, request_id: requestId }, "a call failed because a store is away");
    return new Refusal("unavailable", { headers: { "Retry-After": "2" } });
  }
  log.error({ err: error, request_id: requestId }, "a call failed");
  return new Refusal("internal_error");
}
