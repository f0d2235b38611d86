import type { z } from "zod";
import type { Warning } from "../../domain/kernel/context.ts";
import { type FieldError, firstErrors, namingField, refuse } from "../../domain/kernel/errors.ts";
import { fieldError } from "./field-error.ts";
import { normalise } from "./normalise.ts";
import { flattenedParameter, gatherMembers, membersLike } from "./query-members.ts";
import { MAX_WARNINGS, unknownName } from "./unknown.ts";

/** Validates bodies and queries against their schemas and reports the errors of each field. */

/** The maximum number of errors in a reply. A body can contain ninety thousand. */
const MAX_ERRORS = 100;

export type DecodeOptions = {
  lenient: boolean;
  creating: boolean;
  warnings: Warning[];
  /** Fields of the reply, whose names need no warning. Absent: no other name gets one. */
  shown?: readonly string[] | undefined;
};

/** @throws Refusal unknown_field or validation_failed with all errors found, mutually_exclusive */
export function decodeBody<S extends z.ZodType>(schema: S, value: unknown, options: DecodeOptions): z.output<S> {
  // The body may be missing if all its fields are optional.
  const given = value === undefined ? {} : value;
  const unknown: FieldError[] = [];
  const parsed = schema.safeParse(normalise(schema, given, { ...options, errors: unknown, path: "" }));
  if (parsed.success && unknown.length === 0) return parsed.data;
  const issues = parsed.error?.issues.slice(0, MAX_ERRORS) ?? [];
  const errors = [...unknown, ...firstOfEach(issues.map((issue) => fieldError(issue, given)))].slice(0, MAX_ERRORS);
  if (unknown.length === 0) refuse("validation_failed", { message: summary(errors), errors });
  const [{ message: _, code: _c, ...first }] = unknown as [FieldError];
  refuse("unknown_field", { ...first, message: summary(errors), errors });
}

/** @throws Refusal unknown_parameter, invalid_parameter */
export function decodeQuery<S extends z.ZodObject>(
  schema: S | undefined,
  query: Record<string, string>,
  options: { lenient: boolean; warnings: Warning[]; also: readonly string[] },
): z.output<S> {
  const known = [...Object.keys(schema?.shape ?? {}), ...options.also];
  const wanted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(gatherMembers(schema, query))) {
    if (known.includes(name)) {
      const read = typeof value === "string" ? flattenedParameter(value) : value;
      if (read !== "" && !options.also.includes(name)) wanted[name] = read;
      continue;
    }
    if (options.lenient && options.warnings.length >= MAX_WARNINGS) continue;
    const { shown, meant, message } = unknownName(name, [...known, ...membersLike(schema, name)], "parameter");
    const details = { parameter: shown, allowed: known, ...meant };
    if (!options.lenient) refuse("unknown_parameter", { message, ...details });
    options.warnings.push({ code: "unknown_parameter", message, parameter: shown, ...meant });
  }
  if (!schema) return {} as z.output<S>;

  const parsed = schema.safeParse(normalise(schema, wanted, { ...options, creating: false, errors: [], path: "" }));
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => fieldError(issue, wanted));
  refuse("invalid_parameter", { message: summary(errors), parameter: errors[0]?.path.slice(1), errors });
}

/** Keeps the first error of each field. A text that is too long is not also reported as having the wrong pattern. */
const firstOfEach = (errors: FieldError[]): FieldError[] =>
  errors.filter(
    ({ path, code }, index) => code !== "pattern" || !errors.slice(0, index).some((one) => one.path === path),
  );

/** The first errors as sentences. */
const summary = (errors: FieldError[]): string => firstErrors(missingFirst(errors).map(sentenceOf));

/** Fields that are missing come first in a text that leaves out some of the errors. */
const missingFirst = (errors: FieldError[]): FieldError[] =>
  errors.length > 3 ? errors.toSorted((a, b) => Number(b.code === "required") - Number(a.code === "required")) : errors;

/** The message about an unknown name is a sentence already. */
const sentenceOf = (error: FieldError): string => (error.code === "unknown_field" ? error.message : namingField(error));
