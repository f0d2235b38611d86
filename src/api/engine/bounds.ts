import { z } from "zod";
import { flattened } from "../../domain/kernel/text.ts";

/**
 * Applies a schema's length limits before any other check. Zod runs its other checks on texts that are too long, and
 * on every element of a list that is too long.
 */

/**
 * Cuts a value that is longer than its schema allows, so that validation still rejects it, but does less work. Zod counts
 * characters, of which each is one or two units of a JavaScript string: a text of `max` characters has at most `2 * max`
 * units.
 */
export function cutToBound(schema: z.ZodType, value: unknown): unknown {
  if (typeof value === "string") {
    const max = maxCharacters(schema);
    if (max === undefined || value.length <= max) return value;
    return isFlattened(schema) ? flattenedTo(max, value) : value.slice(0, 2 * max + 1);
  }
  const max = Array.isArray(value) && schema instanceof z.ZodArray ? boundOf(schema) : undefined;
  return max !== undefined && (value as unknown[]).length > max ? (value as unknown[]).slice(0, max + 1) : value;
}

/** Units of a name for each character of its limit. A letter with its marks is up to five, and spaces in a row are one. */
const UNITS = 8;

/**
 * A name in the form in which it is stored: cut before, it could fit. One that is far too long is replaced, since even a short
 * part of it could fit.
 */
function flattenedTo(max: number, value: string): string {
  const trimmed = value.trim();
  return trimmed.length > UNITS * max ? "-".repeat(max + 1) : flattened(trimmed).slice(0, 2 * max + 1);
}

/** The maximum number of members of a record with client-chosen names, from the schema's `maxProperties`. */
export const maxMembers = (schema: z.ZodRecord): number | undefined => schema.meta()?.maxProperties as number;

/** The maximum number of characters of a text. For a union, the maximum of its longest option. */
function maxCharacters(schema: z.ZodType): number | undefined {
  if (!(schema instanceof z.ZodUnion)) return boundOf(schema);
  const bounds = optionsOf(schema).filter(takesText).map(maxCharacters);
  return bounds.length === 0 || bounds.includes(undefined) ? undefined : Math.max(...(bounds as number[]));
}

const optionsOf = (schema: z.ZodUnion) => schema.options.map((option) => unwrap(option as z.ZodType));

/** An option may be a union itself. */
const takesText = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodUnion
    ? optionsOf(schema).some(takesText)
    : schema instanceof z.ZodString || schema instanceof z.ZodStringFormat;

type Check = { check?: string; maximum?: number };

const checksOf = (schema: z.ZodType): Check[] => (schema.def.checks ?? []).map((check) => check._zod.def as Check);
const boundOf = (schema: z.ZodType) => checksOf(schema).find(({ check }) => check === "max_length")?.maximum;
const isFlattened = (schema: z.ZodType) => checksOf(schema).some(({ check }) => check === "overwrite");

/** The schema without its optional, nullable and default wrappers. For a pipe, its input schema. */
export function unwrap(schema: z.ZodType): z.ZodType {
  let inner = schema;
  for (;;) {
    if (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault)
      inner = inner.unwrap() as z.ZodType;
    else if (inner instanceof z.ZodPipe) inner = inner.in as z.ZodType;
    else return inner;
  }
}
