import type { InProject, Writing } from "../../kernel/context.ts";
import type { OptionsData } from "../mass-changes/kinds/fields.ts";

/**
 * Takes the values that lose their last option off the field's count. The field is locked, so that no new value is stored
 * meanwhile; whoever later changes an issue does not have to lock it.
 */
export async function dropFromCount({ tx, workspace }: InProject & Writing, fieldId: string, data: OptionsData) {
  const text = `
    update custom_field set value_count = value_count - (
      select count(*) from custom_field_value v
      where v.workspace_id = $1 and v.field_id = $2 and v.value ?| $4::text[] and value_of_options(v.value, $3::jsonb) is null)
    where workspace_id = $1 and id = $2`;
  await tx.query({ text }, [workspace.id, fieldId, JSON.stringify(data), data.dropped]);
}
