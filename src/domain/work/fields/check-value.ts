import { counted } from "../../kernel/counted.ts";
import { refuseField, refuseReference } from "../../kernel/errors.ts";
import { readId, referenceKey } from "../../kernel/ids.ts";
import { closest, lengthOf, nameKey, shorten, withLineFeeds } from "../../kernel/text.ts";
import { readDay } from "../../kernel/wire.ts";
import type { People } from "../../tenancy/workspaces/members.sql.ts";
import { MAX_NUMBER } from "./inputs.ts";
import type { FieldKind, FieldRow, StoredValue } from "./rows.ts";

/** Checks the value of a custom field by the field's kind. */

export type Checked = Pick<FieldRow, "kind" | "options" | "min" | "max" | "precision">;

/** The people and projects that values may name, by `referenceKey`, and the docs by id. */
export type Named = { people: People; projects: Map<string, string>; docs: Set<string> };
export const NOTHING_NAMED: Named = { people: new Map(), projects: new Map(), docs: new Set() };

const MAX_TEXT = 10_000;
const MAX_CHOICES = 50;
const MAX_URL = 2_000;

/**
 * Returns the value in the form in which it is stored; null for none.
 * @throws Refusal validation_failed, invalid_reference
 */
export function checkValue(field: Checked, value: unknown, path: string, named: Named): StoredValue | null {
  if (value === null || value === undefined || value === "") return null;
  return KINDS[field.kind](value, path, field, named);
}

type Check = (value: unknown, path: string, field: Checked, named: Named) => StoredValue | null;

const KINDS: Record<FieldKind, Check> = {
  text: (value, path) => text(value, path, MAX_TEXT),
  number,
  select: (value, path, field) => option(text(value, path, MAX_TEXT), path, field),
  multi_select: options,
  date(value, path) {
    const day = readDay(text(value, path, 100).trim());
    return day ?? refuseField(path, "pattern", "must be a day, YYYY-MM-DD, or a date-time with offset");
  },
  checkbox: (value, path) => (typeof value === "boolean" ? value : wrongType(path, "boolean")),
  url(value, path) {
    const address = text(value, path, MAX_URL).trim();
    // The value is shown as a link, so other schemes, which could run code, are refused.
    if (!/^https?:\/\/[^\s]+$/i.test(address) || !URL.canParse(address)) {
      refuseField(path, "pattern", "must be an http or https address");
    }
    return address;
  },
  user(value, path, _, { people }) {
    const ref = text(value, path, 320).trim();
    return people.get(referenceKey(ref))?.id ?? refuseReference(path, ref);
  },
  project(value, path, _, { projects }) {
    const ref = text(value, path, 320).trim();
    return projects.get(referenceKey(ref)) ?? refuseReference(path, ref);
  },
  doc(value, path, _, { docs }) {
    const ref = text(value, path, 320).trim();
    const id = readId(ref);
    return id && docs.has(id) ? id : refuseReference(path, ref);
  },
};

function text(value: unknown, path: string, max: number): string {
  if (typeof value !== "string") wrongType(path, "string");
  const sent = withLineFeeds(value);
  if (lengthOf(sent) > max)
    refuseField(path, "too_long", `must have at most ${counted(max, "character")}`, { maximum: max });
  return sent;
}

function number(value: unknown, path: string, field: Checked): number {
  if (typeof value !== "number") wrongType(path, "number");
  const min = field.min ?? -MAX_NUMBER;
  const max = field.max ?? MAX_NUMBER;
  const { precision } = field;
  if (value < min) refuseField(path, "too_small", `must be at least ${min}`, { minimum: min });
  if (value > max) refuseField(path, "too_large", `must be at most ${max}`, { maximum: max });
  if (precision !== null && Number(value.toFixed(precision)) !== value) {
    refuseField(path, "pattern", `must have at most ${counted(precision, "decimal")}`);
  }
  // Postgres stores JSON without a negative zero.
  return value === 0 ? 0 : value;
}

function option(value: string, path: string, field: Checked): string {
  const own = field.options.find((one) => one === value) ?? insensitive(value.trim(), field);
  if (own !== undefined) return own;
  const meant = closest(value, field.options);
  const hint = meant ? ` Did you mean ${meant}?` : "";
  const message = `must be one of the field's options (${firstOf(field.options)}), not ${shorten(value, 100)}.${hint}`;
  refuseField(path, "not_allowed", message, {
    allowed: field.options,
    ...(meant ? { did_you_mean: meant } : {}),
  });
}

/** Options that a message shows. */
const SHOWN = 10;

/** The first options as text. */
export const firstOf = (options: readonly string[]): string =>
  options.slice(0, SHOWN).join(", ") + (options.length > SHOWN ? ", …" : "");

const insensitive = (value: string, { options }: Checked) => options.find((one) => nameKey(one) === nameKey(value));

function options(value: unknown, path: string, field: Checked): string[] | null {
  if (!Array.isArray(value)) wrongType(path, "array");
  if (value.length > MAX_CHOICES) {
    refuseField(path, "too_many_items", `must have at most ${MAX_CHOICES} items`, { maximum: MAX_CHOICES });
  }
  const chosen = value.map((one, index) => option(text(one, `${path}/${index}`, 100), `${path}/${index}`, field));
  // In the order of the field's options, so that equal choices are stored as equal values.
  return chosen.length === 0 ? null : field.options.filter((one) => chosen.includes(one));
}

function wrongType(path: string, expected: string): never {
  refuseField(path, "type", `must be ${expected === "array" ? "an" : "a"} ${expected}`, { expected });
}
