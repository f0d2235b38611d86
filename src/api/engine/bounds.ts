import { z } from "zod";

/**
 * How much of a value its schema allows, asked before anything looks at the value: a schema's other checks run on texts
 * that are too long as well, and on every element of a list that has too many.
 */

/** What is longer than its schema allows, cut to one more than that: refused just the same, and soon. */
export function cutToBound(schema: z.ZodType, value: unknown): unknown {
  if (typeof value === "string") {
    const most = mostCharacters(schema);
    if (most === undefined || value.length <= most) return value;
    const text = isTrimmed(schema) ? value.trim() : value;
    return text.slice(0, most + 1);
  }
  const most = Array.isArray(value) && schema instanceof z.ZodArray ? boundOf(schema) : undefined;
  return most !== undefined && (value as unknown[]).length > most ? (value as unknown[]).slice(0, most + 1) : value;
}

/** Members of a record whose names are the client's to choose; its schema says it by `maxProperties`. */
export const mostMembers = (schema: z.ZodRecord): number | undefined => schema.meta()?.maxProperties as number;

/** Characters of a text; of a choice between schemas, those of the one that allows most. */
function mostCharacters(schema: z.ZodType): number | undefined {
  if (!(schema instanceof z.ZodUnion)) return boundOf(schema);
  const bounds = schema.options
    .map((option) => unwrap(option as z.ZodType))
    .filter(takesText)
    .map(boundOf);
  return bounds.includes(undefined) ? undefined : Math.max(...(bounds as number[]));
}

const takesText = (schema: z.ZodType) => schema instanceof z.ZodString || schema instanceof z.ZodStringFormat;

type Check = { check?: string; maximum?: number };

const checksOf = (schema: z.ZodType): Check[] => (schema.def.checks ?? []).map((check) => check._zod.def as Check);
const boundOf = (schema: z.ZodType) => checksOf(schema).find(({ check }) => check === "max_length")?.maximum;
const isTrimmed = (schema: z.ZodType) => checksOf(schema).some(({ check }) => check === "overwrite");

/** The schema without what makes it optional, and before what it is turned into. */
export function unwrap(schema: z.ZodType): z.ZodType {
  let inner = schema;
  for (;;) {
    if (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault)
      inner = inner.unwrap() as z.ZodType;
    else if (inner instanceof z.ZodPipe) inner = inner.in as z.ZodType;
    else return inner;
  }
}
