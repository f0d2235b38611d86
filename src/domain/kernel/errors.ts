import type { ErrorDefinition } from "./define-errors.ts";
import { type GeneralCode, generalErrors } from "./general-errors.ts";
import { shorten } from "./text.ts";
import { whereToFind } from "./where-to-find.ts";

/** `message` replaces the error's text, and `headers` are sent with the reply. All other members are details. */
export type RefusalDetails = {
  message?: string;
  headers?: Record<string, string>;
  /** Top-level members of the problem, including `type`. */
  problem?: Record<string, unknown>;
} & Record<string, unknown>;

/** An error that the client sees. The domain throws it, and `api/http/problem.ts` converts it to problem+json. */
export class Refusal extends Error {
  readonly definition: ErrorDefinition;
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;
  readonly problem: Record<string, unknown>;

  constructor(error: GeneralCode | ErrorDefinition, { message, headers, problem, ...details }: RefusalDetails = {}) {
    const definition = definitionOf(error);
    super(message ?? definition.text);
    this.definition = definition;
    this.details = details;
    this.headers = headers ?? {};
    this.problem = problem ?? {};
  }

  get code(): string {
    return this.definition.code;
  }

  get status(): number {
    return this.definition.status;
  }

  get title(): string {
    return this.definition.title;
  }

  is(...errors: (GeneralCode | ErrorDefinition)[]): boolean {
    return errors.some((error) => definitionOf(error) === this.definition);
  }
}

/**
 * Ends the call with an error.
 * @param error the code of a general error, or an error that a subject defines in its `errors.ts`
 */
export function refuse(error: GeneralCode | ErrorDefinition, details?: RefusalDetails): never {
  throw new Refusal(error, details);
}

const definitionOf = (error: GeneralCode | ErrorDefinition): ErrorDefinition =>
  typeof error === "string" ? generalErrors[error] : error;

/** Converts `Busy` to the error that the client sees. */
export const busyRefusal = (): Refusal =>
  new Refusal("unavailable", {
    message:
      "Too many calls of this workspace are waiting, or others are using the same objects. Retry in 2 s, with fewer calls at a time.",
    headers: { "Retry-After": "2" },
  });

export type FieldError = {
  path: string;
  code: string;
  message: string;
  allowed?: readonly unknown[];
  did_you_mean?: string;
} & Record<string, unknown>;

/** Refuses one field of the body, in the form of a schema violation. The text of the whole error names the field. */
export function refuseField(path: string, code: string, message: string, more: Record<string, unknown> = {}): never {
  refuse("validation_failed", { message: namingField({ path, message }), errors: [{ path, code, message, ...more }] });
}

/** Names the field before what is wrong with it. Most messages go on after its name, as in "must be at least 1". */
export function namingField({ path, message }: { path: string; message: string }): string {
  return `${fieldAt(path) || "The body"}${GOES_ON.test(message) ? "" : ":"} ${message}`;
}

/** Errors that the text of a refusal names. The others are in its `errors` only. */
const NAMED_ERRORS = 3;

/** The first of several errors as sentences, and how many more there are. */
export function firstErrors(sentences: readonly string[]): string {
  const [only] = sentences;
  if (only !== undefined && sentences.length === 1) return only;
  const left = sentences.length - NAMED_ERRORS;
  const first = sentences.slice(0, NAMED_ERRORS).map((sentence) => sentence.replace(/(?<![.?])$/, "."));
  return [...first, ...(left > 0 ? [`And ${left} more: see errors.`] : [])].join(" ");
}

/** A JSON pointer as people write it: `/items/0/title` is `items[0].title`. */
export const fieldAt = (path: string): string =>
  path
    .slice(1)
    .split("/")
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part.replaceAll("~1", "/").replaceAll("~0", "~")}`))
    .join("")
    .replace(/^\./, "");

const GOES_ON = /^(must|is|has|cannot|should|would|takes|subtracts|names|makes|needs)\b/;

/** Refuses a reference in the body to an object that does not exist. */
export function refuseReference(path: string, value: unknown, more: Record<string, unknown> = {}): never {
  throw invalidReference(path, value, more);
}

/** Returns the refusal as a value, for an item of a bulk call. */
export const invalidReference = (path: string, value: unknown, more: Record<string, unknown> = {}): Refusal =>
  new Refusal("invalid_reference", { message: noneNamed(path, value), path, value, ...more });

function noneNamed(path: string, value: unknown): string {
  const where = whereToFind(path);
  const field = fieldAt(path);
  const shown = typeof value === "string" && value !== "" ? `: ${shorten(value, MAX_SHOWN).toWellFormed()}` : "";
  return `${field}${shown} does not exist here.${where ? ` ${where}` : ""}`;
}

/** Longer values are cut in messages. */
const MAX_SHOWN = 100;
