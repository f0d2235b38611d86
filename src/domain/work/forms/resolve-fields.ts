import { PRIORITIES } from "../../access/identity/issue-row.ts";
import type { InProject } from "../../kernel/context.ts";
import { refuseField, refuseReference } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { readFields } from "../fields/fields.sql.ts";
import type { FieldKind, FieldRow } from "../fields/rows.ts";
import { problemOf, ratingBounds } from "./answers.ts";
import { choicesOf } from "./choices.ts";
import type { FormFieldPatchInput } from "./inputs.ts";
import { type FormField, type FormFieldKind, hasOptions, type VisibilityRule } from "./rows.ts";

/** Fields of a form: which settings each kind has, and how fields refer to each other. */

/** Kinds of form fields whose answer can set a field of the issue. */
const MAPPABLE: Record<Exclude<FormField["mapping"], "none">, readonly FormFieldKind[]> = {
  title: ["short_text", "select", "radio", "email", "url"],
  description: ["short_text", "long_text"],
  priority: ["select", "radio"],
};

/** Kinds of custom fields that each kind of form field can set. */
const SETTABLE: Partial<Record<FormFieldKind, readonly FieldKind[]>> = {
  short_text: ["text"],
  long_text: ["text"],
  select: ["select", "text", "user", "project", "doc"],
  radio: ["select", "text", "user", "project", "doc"],
  multi_select: ["multi_select"],
  number: ["number"],
  rating: ["number"],
  date: ["date"],
  email: ["text"],
  phone: ["text"],
  url: ["url", "text"],
  checkbox: ["checkbox"],
};

const TEXTS: readonly FormFieldKind[] = ["short_text", "long_text", "email", "url", "phone"];
const NUMBERS: readonly FormFieldKind[] = ["number", "rating"];
const MAX_RATING = 10;

/**
 * Returns a form's fields after a body is applied, in their new order. A field that the body names by id keeps the
 * settings that the body leaves out.
 * @throws Refusal validation_failed, invalid_reference
 */
export async function resolveFields(
  ctx: InProject,
  before: FormField[],
  inputs: FormFieldPatchInput[],
): Promise<FormField[]> {
  const fields: FormField[] = [];
  for (const [index, input] of inputs.entries()) {
    const path = `/fields/${index}`;
    const old = oldField(before, fields, input, path);
    fields.push({ ...resolveField(ctx, old, input, path), visibility_rule: old?.visibility_rule ?? null });
    const rule = ruleOf(fields, index, input, `${path}/visibility_rule`);
    fields[index]!.visibility_rule = rule;
  }
  for (const mapping of ["title", "description", "priority"] as const) checkMappedOnce(fields, mapping);
  await checkCustomFields(ctx, before, fields);
  return fields;
}

function oldField(
  before: FormField[],
  taken: FormField[],
  { id }: FormFieldPatchInput,
  path: string,
): FormField | undefined {
  if (id === undefined) return undefined;
  if (taken.some((field) => field.id === id)) refuseField(`${path}/id`, "duplicate", "is in the list already");
  return before.find((field) => field.id === id) ?? refuseReference(`${path}/id`, id);
}

function resolveField(ctx: InProject, old: FormField | undefined, input: FormFieldPatchInput, path: string): FormField {
  const kind = input.kind ?? old?.kind ?? refuseField(`${path}/kind`, "required", "is required");
  const kept = old?.kind === kind ? old : undefined;
  const field: FormField = {
    id: old?.id ?? newId(),
    kind,
    label: input.label ?? old?.label ?? refuseField(`${path}/label`, "required", "is required"),
    help_text: given(input.help_text, old?.help_text),
    placeholder: given(input.placeholder, old?.placeholder),
    required: kind !== "section" && (input.required ?? old?.required ?? false),
    options: optionsOf(kind, input.options ?? (hasOptions(old?.kind ?? kind) ? old?.options : undefined), path),
    mapping: input.mapping ?? kept?.mapping ?? "none",
    min_value: input.min_value === undefined ? (kept?.min_value ?? null) : input.min_value,
    max_value: input.max_value === undefined ? (kept?.max_value ?? null) : input.max_value,
    max_length: input.max_length === undefined ? (kept?.max_length ?? null) : input.max_length,
    default_value: given(input.default_value, kept?.default_value),
    visibility_rule: null,
    custom_field_id: input.custom_field_id === undefined ? (kept?.custom_field_id ?? null) : input.custom_field_id,
    created_at: old?.created_at ?? ctx.now,
  };
  checkBounds(field, path);
  checkDefault(field, path);
  if (field.mapping !== "none" && !MAPPABLE[field.mapping].includes(kind)) {
    refuseField(`${path}/mapping`, "not_allowed", `a ${kind} field cannot be the issue's ${field.mapping}`);
  }
  const number = field.mapping === "priority" ? field.options.findIndex((option) => /^[\d\s]+$/.test(option)) : -1;
  if (number !== -1) {
    const message = `must be one of ${PRIORITIES.join(", ")}, or words of your own, but no number`;
    refuseField(`${path}/options/${number}`, "not_allowed", message, { allowed: PRIORITIES });
  }
  return field;
}

/** An absent value keeps the old one; null and an empty text clear it. */
const given = (sent: string | null | undefined, old: string | null | undefined): string | null =>
  (sent === undefined ? old : sent) || null;

function optionsOf(kind: FormFieldKind, options: string[] | undefined, path: string): string[] {
  if (!hasOptions(kind)) {
    if (options?.length) refuseField(`${path}/options`, "not_allowed", `a ${kind} field has no options`);
    return [];
  }
  if (!options) refuseField(`${path}/options`, "required", "is required for fields with options");
  if (options.length === 0)
    refuseField(`${path}/options`, "too_few_items", "must have at least 1 item", { minimum: 1 });
  if (new Set(options).size < options.length) refuseField(`${path}/options`, "duplicate", "must have no duplicates");
  return options;
}

function checkBounds(field: FormField, path: string): void {
  const { kind, min_value, max_value, max_length } = field;
  const sent = min_value !== null ? "min_value" : max_value !== null ? "max_value" : null;
  if (sent && !NUMBERS.includes(kind)) refuseField(`${path}/${sent}`, "not_allowed", "is for numbers and ratings only");
  if (max_length !== null && !TEXTS.includes(kind))
    refuseField(`${path}/max_length`, "not_allowed", "is for texts only");
  if (min_value !== null && max_value !== null && max_value < min_value) {
    refuseField(`${path}/max_value`, "too_small", "must not be below min_value");
  }
  if (kind !== "rating") return;
  const { min, max } = ratingBounds(field);
  const fits = Number.isInteger(min) && Number.isInteger(max) && min >= 0 && max <= MAX_RATING && min <= max;
  if (!fits) {
    const wrong = min_value !== null && (!Number.isInteger(min) || min < 0 || max_value === null) ? "min" : "max";
    refuseField(`${path}/${wrong}_value`, "not_allowed", `must be between 0 and ${MAX_RATING}`);
  }
}

function checkDefault(field: FormField, path: string): void {
  if (field.default_value === null) return;
  const problem =
    field.kind === "section" || field.kind === "file"
      ? `a ${field.kind} has no default`
      : problemOf({ ...field, required: false }, field.default_value);
  if (problem) refuseField(`${path}/default_value`, "not_allowed", problem);
}

/** A rule refers to an earlier field, so rules cannot form a cycle. */
function ruleOf(fields: FormField[], own: number, input: FormFieldPatchInput, path: string): VisibilityRule | null {
  const sent = input.visibility_rule;
  if (sent === null) return null;
  const rule = sent ?? fields[own]!.visibility_rule;
  if (!rule) return null;
  const index =
    typeof rule.field === "number" ? rule.field : fields.findIndex(({ id }) => id === readId(String(rule.field)));
  const named = fields[index] ?? refuseReference(`${path}/field`, rule.field, { message: EARLIER });
  if (index >= own) refuseField(`${path}/field`, "not_allowed", EARLIER);
  if (named.kind === "section" || named.kind === "file") {
    refuseField(`${path}/field`, "not_allowed", `a ${named.kind} has no answer to compare`);
  }
  const needsValue = rule.op !== "is_set" && rule.op !== "is_empty";
  const value = rule.value ?? null;
  if (needsValue && value === null) refuseField(`${path}/value`, "required", `is required with ${rule.op}`);
  return { field: named.id, op: rule.op, value: needsValue ? value : null };
}

const EARLIER = "must be an earlier field of the form";

function checkMappedOnce(fields: FormField[], mapping: FormField["mapping"]): void {
  const second = fields.findIndex(
    (field, index) => field.mapping === mapping && fields.findIndex((other) => other.mapping === mapping) < index,
  );
  if (second !== -1) {
    refuseField(`/fields/${second}/mapping`, "duplicate", `only one field can be the issue's ${mapping}`);
  }
}

/** A deleted custom field stays in the form until the form is changed. Its answers are listed like others. */
async function checkCustomFields(ctx: InProject, before: FormField[], fields: FormField[]): Promise<void> {
  const wanted = fields.flatMap(({ custom_field_id: id }) => (id === null ? [] : [id]));
  if (wanted.length === 0) return;
  const known = new Map((await readFields(ctx, wanted)).map((row): [string, FieldRow] => [row.id, row]));
  const seen = new Set<string>();
  for (const [index, field] of fields.entries()) {
    const { id: fieldId, kind, custom_field_id: id } = field;
    if (id === null) continue;
    const path = `/fields/${index}/custom_field_id`;
    const own = known.get(id);
    const old = before.find((other) => other.id === fieldId && other.custom_field_id === id);
    if (!own && old) continue;
    if (!own) refuseReference(path, id);
    if (seen.has(id)) refuseField(path, "duplicate", "is already set by another field");
    seen.add(id);
    if (!SETTABLE[kind]?.includes(own.kind)) {
      const able = Object.entries(SETTABLE).flatMap(([one, kinds]) => (kinds.includes(own.kind) ? [one] : []));
      const message = `a ${kind} field cannot set ${own.name}, which is of kind ${own.kind}: use ${able.join(" or ")}`;
      refuseField(path, "not_allowed", message);
    }
    const choices = await choicesOf(ctx, field, own.kind, old, `/fields/${index}`);
    if (choices) field.option_ids = choices;
  }
}
