import type { InProject } from "../../kernel/context.ts";
import { Refusal, refuseField } from "../../kernel/errors.ts";
import { nameKey } from "../../kernel/text.ts";
import { checkValue, NOTHING_NAMED } from "./check-value.ts";
import type { Definition } from "./fields.sql.ts";
import type { CustomFieldDefPatchInput } from "./inputs.ts";
import { findNamed } from "./named.ts";
import { type FieldRow, hasOptions, namesSomething, type StoredValue } from "./rows.ts";

/** Settings of a custom field: which ones each kind has, and how they fit together. */

type Settings = Omit<Definition, "rank">;

const NONE: Settings = {
  name: "",
  kind: "text",
  options: [],
  applies_to: [],
  required: false,
  description: null,
  default_value: null,
  min: null,
  max: null,
  precision: null,
};

/**
 * Returns the settings of a new or changed field. Settings that a new kind does not have are dropped.
 * @throws Refusal validation_failed, invalid_reference
 */
export async function resolveDefinition(
  ctx: InProject,
  before: FieldRow | null,
  wanted: CustomFieldDefPatchInput,
): Promise<Settings> {
  const old = before ?? NONE;
  const { name = old.name, kind = old.kind, required = old.required } = wanted;
  const { description = old.description } = wanted;
  const next: Settings = {
    name,
    kind,
    required,
    description: description || null,
    applies_to: [...new Set(wanted.applies_to ?? old.applies_to)],
    options: optionsOf(kind, old, wanted),
    ...boundsOf(kind, old, wanted),
    default_value: null,
  };
  return { ...next, default_value: await defaultOf(ctx, old, next, wanted.default_value) };
}

function optionsOf(kind: FieldRow["kind"], old: Settings, wanted: CustomFieldDefPatchInput): string[] {
  if (!hasOptions(kind)) {
    if (wanted.options?.length) refuseField("/options", "not_allowed", `a ${kind} field has no options`);
    return [];
  }
  const options = wanted.options ?? old.options;
  if (options.length > 0) return options;
  if (wanted.options === undefined) refuseField("/options", "required", "is required for fields with options");
  refuseField("/options", "too_few_items", "must have at least 1 item", { minimum: 1 });
}

function boundsOf(kind: FieldRow["kind"], old: Settings, wanted: CustomFieldDefPatchInput) {
  const none = { min: null, max: null, precision: null };
  if (kind !== "number") {
    const sent = (["min", "max", "precision"] as const).find((name) => (wanted[name] ?? null) !== null);
    if (sent) refuseField(`/${sent}`, "not_allowed", "is for number fields only");
    return none;
  }
  const { min = old.min, max = old.max, precision = old.precision } = wanted;
  if (min !== null && max !== null && max < min) refuseField("/max", "too_small", "must not be below min");
  return { min, max, precision };
}

/** An existing default is kept if it is still a valid value and the body does not send another. */
async function defaultOf(ctx: InProject, old: Settings, next: Settings, sent: unknown): Promise<StoredValue | null> {
  const isSame = next.kind === old.kind && namesSomething(next.kind) && sent === old.default_value;
  if (sent !== undefined && !isSame) {
    const value = checkValue(next, sent, "/default_value", await findNamed(ctx, [{ kind: next.kind, value: sent }]));
    return value;
  }
  if (old.default_value === null || old.kind !== next.kind) return null;
  if (next.kind === "multi_select") return keptOptions(old.default_value, next.options);
  if (namesSomething(next.kind)) return old.default_value;
  return validOrNull(next, old.default_value);
}

/** Returns the chosen options that still exist, in their present spelling; null if none is left. */
export function keptOptions(value: StoredValue, options: readonly string[]): string[] | null {
  const chosen = [value].flat().map((option) => nameKey(String(option)));
  const kept = options.filter((option) => chosen.includes(nameKey(option)));
  return kept.length === 0 ? null : kept;
}

function validOrNull(field: Settings, value: StoredValue): StoredValue | null {
  try {
    return checkValue(field, value, "/default_value", NOTHING_NAMED);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
