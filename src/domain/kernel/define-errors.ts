/** The closed list of `error.code`, for clients that do not handle the specific code. */
export const COARSE_CODES = [
  "validation",
  "unauthorized",
  "payment_required",
  "internal_error",
  "forbidden",
  "not_found",
  "conflict",
  "idempotency_violation",
  "rate_limited",
] as const;

type CoarseCode = (typeof COARSE_CODES)[number];

export type ErrorText = {
  /** HTTP status. */
  readonly status: number;
  readonly coarse: CoarseCode;
  /** The code in a few words. */
  readonly title: string;
  /** What is wrong, in one or two sentences. */
  readonly cause: string;
  /** What the client does next. */
  readonly fix: string;
};

export type ErrorDefinition<Code extends string = string> = ErrorText & {
  readonly code: Code;
  /** The cause and the fix: the error's message. A call of `refuse` may replace it with a more specific one. */
  readonly text: string;
};

/**
 * Defines the errors of a subject, by their codes on the wire. They belong in `domain/<group>/<subject>/errors.ts`;
 * `domain/error-catalogue.ts` lists these files. Codes may be added, but never removed.
 */
export function defineErrors<const Code extends string>(
  texts: Record<Code, ErrorText>,
): { readonly [C in Code]: ErrorDefinition<C> } {
  const definitions = Object.entries<ErrorText>(texts).map(([code, error]) => [
    code,
    Object.freeze({ code, ...error, text: `${error.cause} ${error.fix}` }),
  ]);
  return Object.freeze(Object.fromEntries(definitions));
}

const withStatus =
  (status: number, coarse: CoarseCode) =>
  (title: string, cause: string, fix: string): ErrorText => ({ status, coarse, title, cause, fix });

/** 400: the request is invalid. */
export const invalid = withStatus(400, "validation");

/** 402: the call requires payment. */
export const payable = withStatus(402, "payment_required");

/** 403: scope, role, ownership or plan do not allow the call. */
export const forbidden = withStatus(403, "forbidden");

/** 404: the object does not exist or is hidden from the caller. */
export const missing = withStatus(404, "not_found");

/** 409: the request is valid, but conflicts with the current state. */
export const conflict = withStatus(409, "conflict");

/** 429: a limit is reached. The caller can retry later. */
export const limited = withStatus(429, "rate_limited");

/** 503: temporarily unavailable. */
export const unavailable = withStatus(503, "internal_error");
