import { z } from "zod";
import { otherName, type Warning } from "../../domain/kernel/context.ts";
import { type FieldError, refuse, refuseField } from "../../domain/kernel/errors.ts";
import { own } from "../../domain/kernel/own.ts";
import { numbersAsTexts, synonyms } from "../../domain/kernel/wire.ts";
import { cutToBound, maxMembers, unwrap } from "./bounds.ts";
import { isRecord, MAX_WARNINGS, unknownName } from "./unknown.ts";

/**
 * Accepts common variations of input: other names of fields, other spellings of enum values, null for "absent". They
 * are converted to the schema's own form here, so that domain code never sees them.
 */

/**
 * Alternative names of fields → the name in the schema. An alias applies only if the schema has the right name and
 * not the left one.
 */
export const ALIASES: Readonly<Record<string, string>> = {
  description: "description_md",
  body: "body_md",
  assignee_id: "assignee",
  assignees: "assignee_ids",
  parent: "parent_id",
  parent_id: "parent",
  epic_id: "epic",
  label_ids: "labels",
  reporter_id: "reporter",
  project: "project_id",
  project_id: "project",
  events: "event_types",
  progress_note: "note",
  pr_url: "external_url",
  target_id: "target_key",
};

type Shape = Record<string, z.ZodType>;
type Options = {
  lenient: boolean;
  creating: boolean;
  warnings: Warning[];
  /** Fields of the reply. Their names are accepted without a warning. Absent: no other name gets a warning. */
  shown?: readonly string[] | undefined;
  /** Errors are collected here, so that the client sees all of them at once. */
  errors: FieldError[];
  path: string;
};

/**
 * The body with the schema's field names and without unknown fields. Unknown fields are errors, or warnings if the
 * client asked for lenient handling.
 */
export function normalise(schema: z.ZodType, value: unknown, options: Options): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject && isRecord(value)) return normaliseObject(inner.shape as Shape, value, options);
  if (inner instanceof z.ZodDiscriminatedUnion && isRecord(value)) return normaliseVariant(inner, value, options);
  if (inner instanceof z.ZodRecord && isRecord(value)) return normaliseRecord(inner, value, options);
  if (inner instanceof z.ZodEnum) return enumValue(inner, value, options);
  if (typeof value === "number" && numbersAsTexts.has(inner)) return String(value);
  const bounded = cutToBound(inner, value);
  if (!(inner instanceof z.ZodArray) || !Array.isArray(bounded)) return bounded;
  const element = inner.element as z.ZodType;
  // Where the schema expects ids, a whole object is accepted and replaced by its id.
  const isId = unwrap(element) instanceof z.ZodString;
  return bounded.map((item, index) =>
    isId && isRecord(item) && typeof item.id === "string"
      ? item.id
      : normalise(element, item, { ...options, path: `${options.path}/${index}` }),
  );
}

/** The variant that the object names. Zod rejects an object that names none. */
function normaliseVariant(schema: z.ZodDiscriminatedUnion, value: Record<string, unknown>, options: Options) {
  const { discriminator } = schema.def;
  const shapes = schema.options.map((option) => (unwrap(option as z.ZodType) as z.ZodObject).shape as Shape);
  const names = shapes.map((shape) => String((own(shape, discriminator) as z.ZodLiteral).value));
  const given = own(value, discriminator);
  const name = typeof given === "string" ? spelledAs(names, given) : undefined;
  const shape = name === undefined ? undefined : shapes[names.indexOf(name)];
  return shape ? normaliseObject(shape, { ...value, [discriminator]: name }, options) : value;
}

/** The client chooses the names of a record's members, so only their number and their values are checked. */
function normaliseRecord(schema: z.ZodRecord, value: Record<string, unknown>, options: Options) {
  const members = Object.entries(value);
  const max = maxMembers(schema);
  if (max !== undefined && members.length > max) {
    refuseField(options.path, "too_many_items", `must have at most ${max} members`, { maximum: max });
  }
  // zod would drop it silently.
  if (Object.hasOwn(value, "__proto__")) unknownField([], "__proto__", options);
  const { valueType } = schema.def;
  return Object.fromEntries(
    members.map(([name, content]) => [
      name,
      normalise(valueType as z.ZodType, content, { ...options, path: `${options.path}/${name}` }),
    ]),
  );
}

function normaliseObject(shape: Shape, value: Record<string, unknown>, options: Options) {
  const result: Record<string, unknown> = {};
  const spelling = new Map<string, string>();
  const fields = { has: (name: string) => Object.hasOwn(shape, name) };
  const unknown: string[] = [];
  // Pairs of names and values would take twice as long for an object of thousands of unknown fields.
  for (const given of Object.keys(value)) {
    const name = fieldName(fields, given);
    if (name === null) {
      unknown.push(given);
      continue;
    }
    const content = own(value, given);
    const other = spelling.get(name);
    if (other !== undefined) {
      refuse("mutually_exclusive", { message: `Send ${other} or ${given}, not both.`, fields: [other, given] });
    }
    spelling.set(name, given);
    if (name !== given) warnOfAlias(name, given, options);

    const field = own(shape, name)!;
    // In a create, null means "absent" if the field does not allow null.
    if (content === null && options.creating && isOptional(field) && !field.safeParse(null).success) continue;
    result[name] = normalise(field, content, { ...options, path: `${options.path}/${name}` });
  }
  if (unknown.length > 0) {
    const left = Object.keys(shape).filter((name) => !spelling.has(name));
    const required = left.filter((name) => !isOptional(own(shape, name)!));
    // One unknown name in the place of the one that is missing, with a value that fits.
    const [only] = unknown.length === 1 && required.length === 1 ? required : [];
    const fits = only !== undefined && own(shape, only)!.safeParse(own(value, unknown[0]!)).success;
    const missing = fits ? only : undefined;
    for (const name of unknown) unknownField(left, name, options, missing);
  }
  return result;
}

function warnOfAlias(name: string, given: string, { shown, warnings, path }: Options): void {
  if (!shown || shown.includes(given) || warnings.length >= MAX_WARNINGS) return;
  warnings.push(otherName(given, name, `${path}/${given}`));
}

/** The name of a field in the schema. Null if there is no such field. */
export function fieldName(fields: { has(name: string): boolean }, given: string): string | null {
  if (fields.has(given)) return given;
  const alias = own(ALIASES, given);
  return alias !== undefined && fields.has(alias) ? alias : null;
}

/** The maximum number of unknown fields in an error. */
const MAX_UNKNOWN = 100;

/** @param left the fields that were not sent */
function unknownField(
  left: readonly string[],
  name: string,
  { lenient, warnings, errors, path }: Options,
  missing?: string,
) {
  if (lenient ? warnings.length >= MAX_WARNINGS : errors.length >= MAX_UNKNOWN) return;
  const { shown, meant, message } = unknownName(name, left, "field", missing);
  const details = { path: `${path}/${shown}`, ...meant };
  if (lenient) warnings.push({ code: "unknown_field", message, ...details });
  else errors.push({ code: "unknown_field", message, ...details });
}

/** Longer values are not tried as other spellings of an enum value. */
const MAX_SPELLING_LENGTH = 100;

function enumValue(schema: z.ZodEnum, value: unknown, { shown, warnings, path }: Options): unknown {
  if (typeof value !== "string") return value;
  const options = schema.options as string[];
  const exact = spelledAs(options, value);
  const meant = exact ?? spelledAs(options, value, synonyms.get(schema));
  if (exact === undefined && meant !== undefined && shown && warnings.length < MAX_WARNINGS) {
    warnings.push(otherName(value.trim(), meant, path));
  }
  return meant ?? value;
}

/** The option that a text means, in any case and with `-` or spaces for `_`. */
function spelledAs(options: readonly string[], value: string, others: Record<string, string> = {}): string | undefined {
  if (options.includes(value)) return value;
  if (value.length > MAX_SPELLING_LENGTH) return undefined;
  const plain = value.trim().toLowerCase();
  const underscored = plain.replace(/[\s-]+/g, "_");
  const dashed = plain.replace(/[\s_]+/g, "-");
  const exact = options.find((option) => option === plain || option === underscored || option === dashed);
  return exact ?? own(others, underscored);
}

const isOptional = (schema: z.ZodType) => schema.safeParse(undefined).success;
