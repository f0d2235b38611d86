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
  /** Says what is wrong and what to do next. A call of `refuse` may replace it with a more specific message. */
  readonly text: string;
};

export type ErrorDefinition<Code extends string = string> = ErrorText & { readonly code: Code };

/**
 * Defines the errors of a subject, by their codes on the wire. They belong in `domain/<group>/<subject>/errors.ts`;
 * `domain/error-catalogue.ts` lists these files. Codes may be added, but never removed.
 */
export function defineErrors<const Code extends string>(
  texts: Record<Code, ErrorText>,
): { readonly [C in Code]: ErrorDefinition<C> } {
  const definitions = Object.entries<ErrorText>(texts).map(([code, text]) => [code, Object.freeze({ code, ...text })]);
  return Object.freeze(Object.fromEntries(definitions));
}

/** 400: the request is invalid. */
export const invalid = (title: string, text: string): ErrorText => ({ status: 400, coarse: "validation", title, text });

/** 402: the call requires payment. */
export const payable = (title: string, text: string): ErrorText => ({
  status: 402,
  coarse: "payment_required",
  title,
  text,
});

/** 403: scope, role, ownership or plan do not allow the call. */
export const forbidden = (title: string, text: string): ErrorText => ({
  status: 403,
  coarse: "forbidden",
  title,
  text,
});

/** 404: the object does not exist or is hidden from the caller. */
export const missing = (title: string, text: string): ErrorText => ({ status: 404, coarse: "not_found", title, text });

/** 409: the request is valid, but conflicts with the current state. */
export const conflict = (title: string, text: string): ErrorText => ({ status: 409, coarse: "conflict", title, text });

/** 429: a limit is reached. The caller can retry later. */
export const limited = (title: string, text: string): ErrorText => ({
  status: 429,
  coarse: "rate_limited",
  title,
  text,
});

/** 503: temporarily unavailable. */
export const unavailable = (title: string, text: string): ErrorText => ({
  status: 503,
  coarse: "internal_error",
  title,
  text,
});
