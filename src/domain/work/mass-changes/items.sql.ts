import type { ComparedKind, SettlingCtx } from "./kinds.ts";
import type { Item, MassChange } from "./rows.ts";

/** Writes to issues that have a mass change to come. The issues are locked. */

const idsOf = (items: readonly Item[]) => items.map(({ id }) => id);
/**
 * SQL: the change `$1` as it was read. Its row may be another one by now, because others redirect or replace it without a
 * lock of the issues, and what is written is what is recorded.
 */
const CHANGE = `jsonb_to_record($1::jsonb)
  as m(target_id uuid, to_id uuid, steps integer, author jsonb, created_at timestamptz)`;
const WRITTEN = `version = i.version + m.steps, updated_at = greatest(i.updated_at, m.created_at)`;
const THESE = `i.workspace_id = $2 and i.id = any($3::uuid[])`;

/** @param set SQL: what changes in `issue i` by the change `m` */
export async function writeItems(
  { tx, workspace }: SettlingCtx,
  change: MassChange,
  items: readonly Item[],
  set: string,
  name: string,
): Promise<void> {
  const text = `update issue i set ${set}, ${WRITTEN} from ${CHANGE} where ${THESE}`;
  await tx.query({ name, text }, [JSON.stringify(change), workspace.id, idsOf(items)]);
}

/** Removes the values of a deleted field. */
export const dropValues: ComparedKind["write"] = async ({ tx, workspace }, change, items) => {
  const text = `
    with gone as (
      delete from custom_field_value v using ${CHANGE}
      where v.workspace_id = $2 and v.field_id = m.target_id and v.issue_id = any($3::uuid[]))
    update issue i set custom_fields = i.custom_fields - m.target_id::text, ${WRITTEN} from ${CHANGE} where ${THESE}`;
  await tx.query({ name: "drop_values", text }, [JSON.stringify(change), workspace.id, idsOf(items)]);
};

/** Stores what is left of values. The count of the field's values was corrected when its options changed. */
export const replaceValues: ComparedKind["write"] = async ({ tx, workspace }, change, items) => {
  const text = `
    with item as materialized (
      select id, nullif(value, 'null'::jsonb) as value from jsonb_to_recordset($4::jsonb) as t(id uuid, value jsonb)),
    gone as (
      delete from custom_field_value v using ${CHANGE}, item
      where v.workspace_id = $2 and v.field_id = m.target_id and v.issue_id = item.id
        and item.value is null),
    kept as (
      update custom_field_value v
      set value = item.value, updated_by = (m.author -> 'actor' ->> 'id')::uuid, updated_at = m.created_at
      from ${CHANGE}, item
      where v.workspace_id = $2 and v.field_id = m.target_id and v.issue_id = item.id
        and item.value is not null)
    update issue i set
      custom_fields = case when item.value is null then i.custom_fields - m.target_id::text
                           else i.custom_fields || jsonb_build_object(m.target_id, item.value) end,
      ${WRITTEN}
    from ${CHANGE}, item where ${THESE} and i.id = item.id`;
  const values = items.map(({ id, changes }) => ({ id, value: changes.custom_fields?.[change.target_id] ?? null }));
  await tx.query({ name: "replace_values", text }, [
    JSON.stringify(change),
    workspace.id,
    idsOf(items),
    JSON.stringify(values),
  ]);
};
