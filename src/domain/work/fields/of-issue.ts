import type { IssueType } from "../../access/identity/issue-row.ts";
import type { InProject } from "../../kernel/context.ts";
import { isSame } from "../../kernel/difference.ts";
import { refuse, refuseField, refuseReference } from "../../kernel/errors.ts";
import { referenceKey } from "../../kernel/ids.ts";
import { own } from "../../kernel/own.ts";
import { checkValue, type Named, NOTHING_NAMED } from "./check-value.ts";
import { lockFields, readFields } from "./fields.sql.ts";
import { findNamed } from "./named.ts";
import { appliesTo, type FieldRow, namesSomething, type StoredValue } from "./rows.ts";

/** Custom-field values in the bodies of issue calls. */

/** A value that a body sends for a field. `ref` is the field's id or name. */
export type FieldValueInput = { ref: string; value: unknown; path: string };

export const fieldValuesOf = (body: Record<string, unknown> | undefined): FieldValueInput[] =>
  Object.entries(body ?? {}).map(([ref, value]) => ({ ref, value, path: `/custom_fields/${pointer(ref)}` }));

/** Escapes a name for a JSON pointer (RFC 6901). */
const pointer = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** The fields that the inputs name, and the people and projects that their values name. */
export type KnownFields = { rows: FieldRow[]; byRef: Map<string, FieldRow>; named: Named };

const NO_FIELDS: KnownFields = {
  rows: [],
  byRef: new Map(),
  named: NOTHING_NAMED,
};

/** Locks the fields that a change of an issue writes. The caller locks the issue afterwards. */
export async function lockRequestedFields(ctx: InProject, inputs: FieldValueInput[]): Promise<KnownFields> {
  if (inputs.length === 0) return NO_FIELDS;
  return resolveReferences(ctx, await lockFields(ctx, refsOf(inputs)), inputs, { defaults: false });
}

/** Reads the fields for new issues: fields that are sent, required fields and fields with a default. */
export async function readForNew(ctx: InProject, inputs: FieldValueInput[]): Promise<KnownFields> {
  if (inputs.length === 0 && !ctx.project.asks_fields) return NO_FIELDS;
  return resolveReferences(ctx, await readFields(ctx, refsOf(inputs)), inputs, { defaults: true });
}

const refsOf = (inputs: FieldValueInput[]) => [...new Set(inputs.map(({ ref }) => ref.trim()))];

async function resolveReferences(
  ctx: InProject,
  rows: FieldRow[],
  inputs: FieldValueInput[],
  { defaults }: { defaults: boolean },
): Promise<KnownFields> {
  const byRef = new Map(rows.map((field) => [referenceKey(field.name), field]));
  for (const field of rows) byRef.set(field.id, field);
  const sent = inputs.flatMap(({ ref, value }) => {
    const field = byRef.get(referenceKey(ref.trim()));
    return field ? [{ kind: field.kind, value }] : [];
  });
  const given = defaults ? rows.map(({ kind, default_value }) => ({ kind, value: default_value })) : [];
  const values = [...sent, ...given].filter(({ kind }) => namesSomething(kind));
  return { rows, byRef, named: values.length === 0 ? NO_FIELDS.named : await findNamed(ctx, values) };
}

/**
 * Checks the values for an issue of this type. Returns them in the form in which they are stored; null clears a value.
 * A value that equals the present one is always valid, even if its field or the person it names has changed since. So a
 * client can send back what it has read.
 * @throws Refusal invalid_reference, validation_failed, mutually_exclusive
 */
export function checkFieldValues(
  inputs: FieldValueInput[],
  type: IssueType,
  known: KnownFields,
  before: Record<string, unknown> = {},
): Map<FieldRow, StoredValue | null> {
  const values = new Map<FieldRow, StoredValue | null>();
  const spelling = new Map<FieldRow, string>();
  for (const { ref, value: sent, path } of inputs) {
    const field = known.byRef.get(referenceKey(ref.trim())) ?? refuseReference(path, ref);
    const other = spelling.get(field);
    if (other !== undefined) {
      refuse("mutually_exclusive", {
        message: `${other} and ${ref} name the same field. Send only one.`,
        fields: [other, ref],
      });
    }
    spelling.set(field, ref);
    if (Object.hasOwn(before, field.id) && isSame(sent, own(before, field.id))) continue;
    const value = checkValue(field, sent, path, known.named);
    // A value of a field that no longer applies to the type can still be cleared.
    if (value !== null && !appliesTo(field, type)) {
      refuseReference(path, ref, { message: `${field.name} is not a field of this type of issue: ${type}.` });
    }
    values.set(field, value);
  }
  return values;
}

/** Maximum length of an issue's values as JSON, because every list and event contains them. */
const MAX_VALUES = 65_536;

function checkSize(values: Record<string, unknown>, inputs: FieldValueInput[], before = 0): void {
  const size = JSON.stringify(values).length;
  // Values that are too long already may be replaced by shorter ones.
  if (size <= Math.max(MAX_VALUES, before)) return;
  refuseField(
    inputs.at(-1)?.path ?? "/custom_fields",
    "too_long",
    `would make more than ${MAX_VALUES} characters of values on the issue`,
    { maximum: MAX_VALUES },
  );
}

/** Returns an issue's values after a change, or null if none changes. */
export function nextValues(
  before: Record<string, unknown>,
  inputs: FieldValueInput[],
  type: IssueType,
  known: KnownFields,
): Record<string, unknown> | null {
  const next = { ...before };
  for (const [{ id }, value] of checkFieldValues(inputs, type, known, before)) {
    if (value === null) delete next[id];
    else if (!isSame(own(before, id), value)) next[id] = value;
  }
  const changed = [...new Set([...Object.keys(before), ...Object.keys(next)])].some(
    (id) => own(before, id) !== own(next, id),
  );
  if (changed) checkSize(next, inputs, JSON.stringify(before).length);
  return changed ? next : null;
}

/** Returns the ids that the values of these fields name, for the issue's history. */
export const idsNamed = ({ rows }: KnownFields, ...issues: { custom_fields: Record<string, unknown> }[]): string[] =>
  rows
    .filter(({ kind }) => namesSomething(kind))
    .flatMap(({ id }) => issues.flatMap(({ custom_fields }) => String(own(custom_fields, id) ?? "") || []));

/** A value for a new issue, with the revision of the field that it was checked against. */
export type NewValue = { field_id: string; revision: number; value: StoredValue };

/** Returns the values of a new issue: those that are sent, and the defaults of the other fields. */
export function valuesOfNew(inputs: FieldValueInput[], type: IssueType, known: KnownFields): NewValue[] {
  const values = checkFieldValues(inputs, type, known);
  for (const field of known.rows) {
    if (!values.has(field) && appliesTo(field, type)) values.set(field, defaultFor(field, known.named));
  }
  const given = [...values].flatMap(([{ id, revision }, value]) =>
    value === null ? [] : { field_id: id, revision, value },
  );
  checkSize(Object.fromEntries(given.map(({ field_id, value }) => [field_id, value])), inputs);
  return given;
}

/**
 * Returns a field's default. Returns null if the default names a person who left the workspace or cannot see the
 * project, or a project or doc that the caller cannot see. The caller did not choose the default, so this is no error.
 */
function defaultFor({ kind, default_value: value }: FieldRow, named: Named): StoredValue | null {
  if (value === null || !namesSomething(kind)) return value;
  const known = kind === "user" ? named.people : kind === "project" ? named.projects : named.docs;
  return known.has(String(value)) ? value : null;
}

/**
 * Adds a warning for required fields without a value. They are no error: only forms and user interfaces insist on them.
 */
export function warnOfMissing(
  ctx: InProject,
  issue: { type: IssueType; custom_fields: Record<string, unknown> },
  fields: Pick<FieldRow, "id" | "name" | "required" | "applies_to">[],
  place: { path?: string } = {},
): void {
  const missing = fields.filter(
    (field) => field.required && appliesTo(field, issue.type) && !Object.hasOwn(issue.custom_fields, field.id),
  );
  if (missing.length === 0) return;
  ctx.warnings.push({
    code: "required_field_missing",
    message: `Required fields have no value: ${missing.map(({ name }) => name).join(", ")}.`,
    fields: missing.map(({ id, name }) => ({ id, name })),
    ...place,
  });
}

/** The same after a change of an issue, for all required fields of its project. */
export async function warnOfRequired(ctx: InProject, issue: Parameters<typeof warnOfMissing>[1]): Promise<void> {
  if (ctx.project.asks_fields) warnOfMissing(ctx, issue, await readFields(ctx, []));
}
