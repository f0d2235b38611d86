import type { InIssue } from "../../access/identity/issue-row.ts";
import type { Writing } from "../../kernel/context.ts";
import { readId } from "../../kernel/ids.ts";
import { change } from "../issues/change.ts";
import { warnOfMissing } from "./of-issue.ts";
import { type FieldRow, namesSomething } from "./rows.ts";
import { readValue, readValues, type ValueRow } from "./values.sql.ts";
import type { CustomFieldValueView } from "./view.ts";

/** An issue's custom-field values, one at a time. They are written by `change()` like all fields of an issue. */

/** Returns all fields that apply, by rank. Adds a warning for required fields without a value. */
export async function list(ctx: InIssue): Promise<CustomFieldValueView[]> {
  const rows = await readValues(ctx);
  warnOfMissing(ctx, ctx.issue, rows);
  return rows.map(viewOf);
}

/** Returns an issue's value of a field. */
export async function read(ctx: InIssue, text: string): Promise<CustomFieldValueView | null> {
  const id = readId(text);
  const row = (await readValues(ctx)).find((value) => value.id === id);
  return row ? viewOf(row) : null;
}

/** Sets a value, or clears it with null. @throws Refusal validation_failed, invalid_reference */
export async function set(ctx: InIssue & Writing, field: FieldRow, value: unknown): Promise<CustomFieldValueView> {
  await change(ctx, { field_value: { ref: field.id, value, path: "/value" } });
  return viewOf(await readValue(ctx, field.id));
}

const viewOf = (row: ValueRow): CustomFieldValueView => ({
  field_id: row.id,
  name: row.name,
  kind: row.kind,
  value: row.value,
  display_value: displayOf(row),
  updated_by: row.updated_by,
  updated_at: row.updated_at,
});

/**
 * Returns the value as text for people. Returns null if there is none, or if the person, project or doc it names is
 * deleted or hidden from the caller.
 */
function displayOf({ kind, value, precision, names }: ValueRow): string | null {
  if (value === null) return null;
  if (namesSomething(kind)) return names;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return precision === null ? String(value) : value.toFixed(precision);
  return Array.isArray(value) ? value.join(", ") : value;
}
