import { z } from "zod";
import type { Warning } from "../../domain/context.ts";
import { refuse, refuseField } from "../../domain/errors.ts";
import { own } from "../../domain/own.ts";
import { synonyms } from "../../domain/wire.ts";
import { cutToBound, mostMembers, unwrap } from "./bounds.ts";
import { MOST_WARNINGS, unknownName } from "./unknown.ts";

/**
 * What inputs may look like besides their schema: other names of fields, other spellings of enum values, null for
 * "absent". All of it is turned into the schema's own form here, at the edge, so that no rule meets it.
 */

/** Other names of fields → the name in the schema. Applied only where the schema has the right one and not the left. */
const ALIASES: Record<string, string> = {
  description: "description_md",
  body: "body_md",
  assignee_id: "assignee",
  assignees: "assignee_ids",
  parent: "parent_id",
  parent_id: "parent",
  epic_id: "epic",
  label_ids: "labels",
  reporter_id: "reporter",
  events: "event_types",
  progress_note: "note",
  pr_url: "external_url",
  target_id: "target_key",
};

type Shape = Record<string, z.ZodType>;
type Options = { lenient: boolean; creating: boolean; warnings: Warning[]; path: string };

/** The body in the schema's own words. Unknown fields are refused, or dropped with a warning where that was asked for. */
export function normalise(schema: z.ZodType, value: unknown, options: Options): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject && isRecord(value)) return normaliseObject(inner.shape as Shape, value, options);
  if (inner instanceof z.ZodRecord && isRecord(value)) return normaliseRecord(inner, value, options);
  if (inner instanceof z.ZodEnum && typeof value === "string") return enumValue(inner, value);
  const bounded = cutToBound(inner, value);
  if (!(inner instanceof z.ZodArray) || !Array.isArray(bounded)) return bounded;
  const element = inner.element as z.ZodType;
  return bounded.map((item, index) => normalise(element, item, { ...options, path: `${options.path}/${index}` }));
}

/** Its names are the client's own, so only their number and their values are looked at here. */
function normaliseRecord(schema: z.ZodRecord, value: Record<string, unknown>, options: Options) {
  const members = Object.entries(value);
  const most = mostMembers(schema);
  if (most !== undefined && members.length > most) {
    refuseField(options.path, "too_many_items", `must have at most ${most} members`, { maximum: most });
  }
  // zod would drop it in silence.
  if (Object.hasOwn(value, "__proto__")) unknownField({}, "__proto__", options);
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
  for (const [given, content] of Object.entries(value)) {
    const name = fieldName(shape, given);
    if (name === null) {
      unknownField(shape, given, options);
      continue;
    }
    const other = spelling.get(name);
    if (other !== undefined) {
      refuse("mutually_exclusive", { message: `Send ${other} or ${given}, not both.`, fields: [other, given] });
    }
    spelling.set(name, given);

    const field = own(shape, name)!;
    // In a create, null stands for "absent" where null itself is no value.
    if (content === null && options.creating && isOptional(field) && !field.safeParse(null).success) continue;
    result[name] = normalise(field, content, { ...options, path: `${options.path}/${name}` });
  }
  return result;
}

function fieldName(shape: Shape, given: string): string | null {
  if (Object.hasOwn(shape, given)) return given;
  const alias = own(ALIASES, given);
  return alias !== undefined && Object.hasOwn(shape, alias) ? alias : null;
}

/** @throws Refusal unknown_field, unless the call is lenient: then it is warned of */
function unknownField(shape: Shape, name: string, { lenient, warnings, path }: Options) {
  if (lenient && warnings.length >= MOST_WARNINGS) return;
  const { shown, meant, message } = unknownName(name, Object.keys(shape), "field");
  const details = { path: `${path}/${shown}`, ...meant };
  if (!lenient) refuse("unknown_field", { message, ...details });
  warnings.push({ code: "unknown_field", message, ...details });
}

/** Characters of what may be another spelling of an enum's value. */
const LONGEST_SPELLING = 100;

function enumValue(schema: z.ZodEnum, value: string): string {
  const options = schema.options as string[];
  if (options.includes(value) || value.length > LONGEST_SPELLING) return value;
  const plain = value.trim().toLowerCase();
  const underscored = plain.replace(/[\s-]+/g, "_");
  const dashed = plain.replace(/[\s_]+/g, "-");
  const exact = options.find((option) => option === plain || option === underscored || option === dashed);
  return exact ?? own(synonyms.get(schema) ?? {}, underscored) ?? value;
}

const isOptional = (schema: z.ZodType) => schema.safeParse(undefined).success;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
