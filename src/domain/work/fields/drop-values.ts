import type { InProject, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { nameKey } from "../../kernel/text.ts";
import { changeIssues } from "../mass-changes/change-issues.ts";
import type { FieldData, OptionsData } from "../mass-changes/kinds/fields.ts";
import { isUnderway, supersede } from "../mass-changes/mass-changes.sql.ts";
import { dropFromCount } from "./drop-values.sql.ts";
import { type FieldRow, hasOptions } from "./rows.ts";

/** Changes that a changed or deleted field makes to issues with a value of it. Each issue gets its own event. */

/** Removes a field's values from all issues, also archived ones. Returns the number of issues. */
export async function clearValues(ctx: InProject & Writing, { id, kind, value_count }: FieldRow): Promise<number> {
  // Values may still be about to lose options. They go at once; readers have seen a version of that change.
  const earlier = await supersede(ctx, id);
  await changeIssues(ctx, { kind: "field", target_id: id, data: { kind } satisfies FieldData, steps: 1 + earlier });
  return value_count;
}

/**
 * Removes dropped options from all issues that have them. An option that only changes its spelling stays.
 * @param field as it was
 * @throws Refusal invalid_state_change
 */
export async function dropOptions(ctx: InProject & Writing, field: FieldRow, options: string[]): Promise<void> {
  if (!hasOptions(field.kind)) return;
  const dropped = field.options.filter((option) => !options.includes(option));
  const added = options.filter((option) => !field.options.includes(option));
  if (dropped.length + added.length > 0) await refuseUnderway(ctx, field);
  if (dropped.length === 0) return;
  const becomes = field.options.map((old) => {
    const same = options.find((option) => nameKey(option) === nameKey(old));
    return [old, same ?? null] as const;
  });
  const multi = field.kind === "multi_select";
  const data: OptionsData = { kind: field.kind, multi, options, dropped, becomes: Object.fromEntries(becomes) };
  await dropFromCount(ctx, field.id, data);
  await changeIssues(ctx, { kind: "options", target_id: field.id, data });
}

/** Until issues have lost dropped options, the field's kind and options stay. @throws Refusal invalid_state_change */
export async function refuseUnderway(ctx: InProject, { id }: Pick<FieldRow, "id">): Promise<void> {
  if (!(await isUnderway(ctx, id))) return;
  refuse("invalid_state_change", {
    message: "Issues are still losing options that were removed before. Change the field again in a minute.",
  });
}
