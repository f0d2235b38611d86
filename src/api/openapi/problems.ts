import { ERRORS } from "../../domain/error-catalogue.ts";
import { COARSE_CODES } from "../../domain/kernel/define-errors.ts";
import { hasEtag, takesIfMatch } from "../engine/etag.ts";
import type { Operation } from "../engine/operation.ts";
import { codesOf } from "./codes.ts";
import { paymentProblemSchemas } from "./payment-problem.ts";
import { type Json, referTo } from "./schemas.ts";

/** The errors of a call and their form in the document. */

const RESPONSES = {
  400: ["BadRequest", "The request is invalid."],
  401: ["Unauthorized", "The credential is missing or invalid."],
  402: ["PaymentRequired", "Payment is required. The reply contains a new challenge."],
  403: ["Forbidden", "Scope, role, ownership or plan do not allow it."],
  404: ["NotFound", "The object does not exist, or the caller cannot see it."],
  409: ["Conflict", "The request conflicts with the current state of the object."],
  412: [
    "PreconditionFailed",
    "The object has changed since the client read it. The reply contains the current `ETag`.",
  ],
  415: ["UnsupportedMediaType", "The body is not JSON, or its `Content-Type` does not say so."],
  429: ["TooManyRequests", "A limit was exceeded. Retry after the seconds in Retry-After."],
  500: ["InternalError", "An internal error occurred."],
  503: ["Unavailable", "The service is temporarily unavailable. Retry after the seconds in Retry-After."],
} as const;

type Status = keyof typeof RESPONSES;

/** The errors that an operation may return, by status. */
export function problemsOf(operation: Operation): Json {
  const { scope, path, writes, method, mode, pays = false } = operation;
  const applies: Record<Status, boolean> = {
    400: true,
    401: true,
    402: pays,
    403: scope !== null,
    404: path.includes("{"),
    409: writes,
    412: takesIfMatch({ method, mode }),
    415: operation.body !== undefined,
    429: true,
    500: true,
    503: true,
  };
  return Object.fromEntries(
    Object.entries(RESPONSES)
      .filter(([status]) => applies[Number(status) as Status])
      .map(([status, [name, text]]) => [
        status,
        // Beside a reference, OpenAPI 3.1 allows a description, which replaces that of the component.
        { $ref: `#/components/responses/${name}`, description: text + codesText(codesOf(operation, Number(status))) },
      ]),
  );
}

const codesText = (codes: string[]) => ` \`code\` is one of ${codes.map((code) => `\`${code}\``).join(", ")}.`;

/** `components.responses`: one per status, each with its possible codes. */
export const problemResponses = (): Json =>
  Object.fromEntries(
    Object.entries(RESPONSES).map(([status, [name, text]]) => [
      name,
      {
        description:
          text + codesText(ERRORS.filter((error) => error.status === Number(status)).map(({ code }) => code)),
        headers: headersOf(Number(status)),
        content: { "application/problem+json": { schema: referTo(status === "402" ? "PaymentProblem" : "Problem") } },
      },
    ]),
  );

function headersOf(status: number): Json {
  if (status === 401) return headers("X-Request-Id", "WWW-Authenticate");
  if (status === 402) return headers("X-Request-Id", "WWW-Authenticate", ...RATE);
  if (status === 403) return headers("X-Request-Id", "WWW-Authenticate", ...RATE);
  if (status === 412) return headers("X-Request-Id", "ETag", ...RATE);
  if (status === 429) return headers("X-Request-Id", "Retry-After", ...RATE);
  if (status === 503) return headers("X-Request-Id", "Retry-After");
  return headers("X-Request-Id", ...RATE);
}

const RATE = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit"];

const headers = (...names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Headers of a successful reply. */
export const successHeaders = (operation: Operation): Json => ({
  ...headers(
    "X-Request-Id",
    ...RATE,
    ...(hasEtag(operation) ? ["ETag"] : []),
    ...(operation.writes ? ["Idempotent-Replayed"] : []),
    ...(operation.pays ? ["Payment-Receipt"] : []),
  ),
  ...(operation.deprecated ? DEPRECATION : {}),
});

const header = (type: string, description: string, example: unknown): Json => ({
  description,
  schema: { type },
  example,
});

/** Of a few operations, so they are no components. */
const DEPRECATION: Json = {
  Deprecation: header("string", "Since when (RFC 9745).", "@1798761600"),
  Sunset: header("string", "From when it may be gone (RFC 8594).", "Thu, 01 Jul 2027 00:00:00 GMT"),
  Link: header(
    "string",
    "The page about it.",
    '<https://muster.test/changelog.md>; rel="deprecation"; type="text/markdown"',
  ),
};

export const headerComponents: Json = {
  "X-Request-Id": header("string", "Names the request in our logs; echoes what was sent.", "req-81"),
  "X-RateLimit-Limit": header("integer", "Requests a minute of this key.", 600),
  "X-RateLimit-Remaining": header("integer", "Requests left in this window.", 587),
  "X-RateLimit-Reset": header("integer", "When the window ends, in seconds since 1970.", 1767225600),
  "RateLimit-Policy": header("string", "The same limit as the IETF draft writes it.", '"key";q=600;w=60'),
  RateLimit: header("string", "The same state as the IETF draft writes it.", '"key";r=587;t=23'),
  "Retry-After": header("integer", "Seconds to wait before trying again.", 1),
  "WWW-Authenticate": header(
    "string",
    "What is missing (RFC 6750), or what is to be paid (scheme `Payment`).",
    'Bearer realm="muster"',
  ),
  "Payment-Receipt": header("string", "base64url of the signed receipt as JSON.", "eyJhbW91bnQiOiIyMDAwIn0"),
  "Content-Disposition": header("string", "Of a file: its name.", 'attachment; filename="WEB-workload-2026-01-31.csv"'),
  ETag: header("string", "Of the object, for `If-Match` and `If-None-Match`.", '"cZ8Qk2vT0aU.mN3_pQ7vWxY"'),
  "Idempotent-Replayed": header("string", "`true` when this is the stored reply of an earlier request.", "true"),
};

/** The members of `details` that programs act on. They are declared so that typed clients can read them. */
const DETAILS: Json = {
  version: {
    type: "integer",
    description: "With `version_conflict` and `precondition_failed`: the object's version now.",
  },
  etag: { type: "string", description: "With `precondition_failed`: the object's `ETag` now." },
  existing_id: { type: "string", description: "With `already_exists`: id of the object that exists." },
  parameter: {
    type: "string",
    description: "The query parameter to mend. Absent if another part of the request is wrong.",
  },
  path: { type: "string", description: "JSON pointer to the field that is wrong, if it is only one." },
  value: { description: "The wrong value, as it was sent." },
  allowed: { type: "array", items: {}, description: "Values that are allowed." },
  did_you_mean: { type: "string", description: "The name or value that is closest to what was sent." },
  required_scope: { type: "string", description: "With `insufficient_scope`: the scope that the call needs." },
  granted: { type: "array", items: { type: "string" }, description: "With `insufficient_scope`: the key's scopes." },
};

export const problemSchemas: Record<string, Json> = {
  Problem: {
    type: "object",
    description: "A refusal (RFC 9457). `error` repeats it in a short form; its `code` is one of a closed list.",
    required: ["type", "title", "status", "detail", "code", "request_id", "error"],
    properties: {
      type: { type: "string", format: "uri", description: "Address of a page that explains the code." },
      title: { type: "string", description: "The code in a few words." },
      status: { type: "integer", description: "HTTP status of the reply." },
      detail: { type: "string", description: "What is wrong, and what to do next, for people." },
      code: {
        type: "string",
        description: "Fine and stable; new ones may be added.",
        examples: ERRORS.map(({ code }) => code),
      },
      request_id: { type: "string", description: "Id of the request, also in `X-Request-Id`. Quote it to support." },
      retryable: { type: "boolean", description: "On calls that pay: whether the same call may succeed later." },
      error: { ...referTo("ProblemError"), description: "The same in a short form." },
    },
  },
  ProblemError: {
    type: "object",
    required: ["code", "message", "details"],
    properties: {
      code: { type: "string", enum: COARSE_CODES, description: "Coarse code, of a closed list." },
      message: { type: "string", description: "The same text as `detail`." },
      details: {
        type: "object",
        description: "What the code needs to be understood. Other codes have other members.",
        additionalProperties: true,
        properties: {
          ...DETAILS,
          code: { type: "string", description: "Fine code, in the rows of a bulk call." },
          errors: {
            type: "array",
            items: referTo("FieldError"),
            description: "One entry per field that is not valid.",
          },
        },
      },
    },
  },
  FieldError: {
    type: "object",
    required: ["path", "code", "message"],
    properties: {
      path: { type: "string", description: "JSON pointer into the body, or `/` and the name of a parameter." },
      code: {
        type: "string",
        description: "Why it is not valid, such as `required`, `type`, `too_long` or `not_allowed`.",
      },
      message: { type: "string", description: "What is wrong with the value, for people." },
      allowed: { type: "array", items: {}, description: "Values that are allowed." },
      did_you_mean: { type: "string", description: "The allowed value or name that is closest to what was sent." },
    },
  },
  ...paymentProblemSchemas,
};
