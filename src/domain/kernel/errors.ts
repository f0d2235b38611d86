import type { ErrorDefinition } from "./define-errors.ts";
import { type GeneralCode, generalErrors } from "./general-errors.ts";

/** `message` replaces the error's text, and `headers` are sent with the reply. All other members are details. */
export type RefusalDetails = {
  message?: string;
  headers?: Record<string, string>;
  /** Members at the top of the problem, `type` among them. */
  problem?: Record<string, unknown>;
} & Record<string, unknown>;

/** An error that a client sees: thrown by the domain, turned into problem+json by `api/http/problem.ts`. */
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

/** What a client is told when a call was Busy. */
export const busyRefusal = (): Refusal =>
  new Refusal("unavailable", {
    message: "This workspace has too much under way of what this call needs; retry shortly.",
    headers: { "Retry-After": "2" },
  });

export type FieldError = {
  path: string;
  code: string;
  message: string;
  allowed?: readonly unknown[];
  did_you_mean?: string;
} & Record<string, unknown>;

/** Refuses one field of the body, in the shape that schema violations have. */
export function refuseField(path: string, code: string, message: string, more: Record<string, unknown> = {}): never {
  refuse("validation_failed", { message, errors: [{ path, code, message, ...more }] });
}

/** Refuses a name in the body that leads nowhere. */
export function refuseReference(path: string, value: unknown, more: Record<string, unknown> = {}): never {
  throw invalidReference(path, value, more);
}

/** Returns the refusal as a value, for an item of a bulk call. */
export const invalidReference = (path: string, value: unknown, more: Record<string, unknown> = {}): Refusal =>
  new Refusal("invalid_reference", { message: `${path.slice(1)} does not exist here.`, path, value, ...more });
