import { ISSUE_TYPES, PRIORITIES, PRIORITY_SYNONYMS } from "../../access/identity/issue-row.ts";
import { ACTOR_KINDS } from "../../kernel/context.ts";
import { own } from "../../kernel/own.ts";

/** The fields that conditions compare, and the operators that each of them takes. */

export const OPERATORS = [
  "is",
  "is_not",
  "is_one_of",
  "is_not_one_of",
  "contains",
  "not_contains",
  "gt",
  "gte",
  "lt",
  "lte",
  "is_set",
  "is_empty",
  "changed",
] as const;
export type Operator = (typeof OPERATORS)[number];

/** Operators that take no value. */
export const WITHOUT_VALUE: readonly Operator[] = ["is_set", "is_empty", "changed"];
/** Operators that take a list of values. */
export const WITH_LIST: readonly Operator[] = ["is_one_of", "is_not_one_of"];
const ORDERED: readonly Operator[] = ["gt", "gte", "lt", "lte"];
export const CONTAINS: readonly Operator[] = ["contains", "not_contains"];

/** How a field's values are compared. Values of custom fields are numbers, dates or texts. */
type Kind = "name" | "text" | "number" | "date" | "custom";

const FIELDS = {
  project: "name",
  type: "name",
  priority: "name",
  status: "name",
  assignee: "name",
  label: "name",
  title: "text",
  reporter: "name",
  sprint: "name",
  milestone: "name",
  release: "name",
  parent: "name",
  due_at: "date",
  estimate: "number",
  description: "text",
  actor_kind: "name",
  actor_id: "name",
  from_status: "name",
  to_status: "name",
} as const satisfies Record<string, Kind>;

export type FieldName = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

const CUSTOM = "custom_field:";

/** The custom field that a condition's field names, or null. */
export const customFieldOf = (field: string): string | null =>
  field.startsWith(CUSTOM) ? field.slice(CUSTOM.length) : null;

/** How a field is compared, or null for an unknown field. */
export function kindOfField(field: string): Kind | null {
  if (customFieldOf(field)) return "custom";
  return Object.hasOwn(FIELDS, field) ? FIELDS[field as FieldName] : null;
}

/** Fields whose values are a fixed list. A rule with any other value would never apply. */
const VALUES: Record<string, readonly string[]> = {
  type: ISSUE_TYPES,
  priority: PRIORITIES,
  actor_kind: ACTOR_KINDS,
};

/** The values of a field if they are a fixed list. Null if they are not. */
export const valuesOfField = (field: string): readonly string[] | null => own(VALUES, field) ?? null;

/** Whether a text is one of a field's fixed values, in any case, or another spelling of a priority. */
export function isValueOf(field: string, value: unknown): boolean {
  const word = String(value).toLowerCase();
  return (own(VALUES, field) ?? []).includes(word) || (field === "priority" && Object.hasOwn(PRIORITY_SYNONYMS, word));
}

/** Whether a field takes an operator. Numbers and dates have an order, and texts and names contain others. */
export function takes(kind: Kind, op: Operator): boolean {
  if (ORDERED.includes(op)) return kind === "number" || kind === "date" || kind === "custom";
  if (CONTAINS.includes(op)) return kind !== "number" && kind !== "date";
  return true;
}
