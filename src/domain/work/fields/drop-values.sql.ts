import type { InProject, Writing } from "../../kernel/context.ts";
import type { StoredValue } from "./rows.ts";

/**
 * Removes values from many issues in batches. The field is locked, so that no new value is stored meanwhile. The board
 * is locked too, so that no other call changes many issues at once.
 */

export type Dropped = { id: string; value: StoredValue };

/**
 * Clears the field on one batch of its issues. Returns the issues with the values they had; an empty list if none is
 * left.
 */
export async function clearBatch(
  { db, workspace, now, waited }: InProject & Writing,
  fieldId: string,
  max: number,
): Promise<Dropped[]> {
  const dropped = await db.query<Dropped>(
    {
      text: `
        with part as (
          select issue_id from custom_field_value where workspace_id = $1 and field_id = $2
          order by issue_id limit $4),
        held as materialized (
          select i.id from issue i where i.workspace_id = $1 and i.id in (select issue_id from part)
          order by i.id for no key update),
        gone as (
          delete from custom_field_value v using held
          where v.workspace_id = $1 and v.field_id = $2 and v.issue_id = held.id
          returning v.issue_id, v.value),
        counted as (
          update custom_field set value_count = value_count - (select count(*) from gone)
          where workspace_id = $1 and id = $2)
        update issue i set custom_fields = i.custom_fields - $2::text, version = i.version + 1,
                           updated_at = greatest(i.updated_at, $3)
        from gone where i.workspace_id = $1 and i.id = gone.issue_id
        returning i.id, gone.value`,
    },
    [workspace.id, fieldId, now, max],
  );
  waited();
  return dropped;
}

/** Returns issues after the id `after` that have one of these options. */
export const issuesWith = (
  { db, workspace }: InProject,
  fieldId: string,
  options: string[],
  after: string | null,
  max: number,
): Promise<Dropped[]> =>
  db.query<Dropped>(
    {
      text: `
        select issue_id as id, value from custom_field_value
        where workspace_id = $1 and field_id = $2 and ($4::uuid is null or issue_id > $4) and value ?| $3::text[]
        order by issue_id limit $5`,
    },
    [workspace.id, fieldId, options, after, max],
  );

/** Stores the remaining values of issues; null clears the value. */
export async function replaceValues(
  { db, workspace, principal, now, waited }: InProject & Writing,
  fieldId: string,
  values: { id: string; value: StoredValue | null }[],
): Promise<void> {
  await db.query(
    {
      text: `
        with item as materialized (
          select id, nullif(value, 'null'::jsonb) as value
          from jsonb_to_recordset($3::jsonb) as t(id uuid, value jsonb)),
        held as materialized (
          select i.id from issue i where i.workspace_id = $1 and i.id in (select id from item)
          order by i.id for no key update),
        gone as (
          delete from custom_field_value v using item
          where v.workspace_id = $1 and v.field_id = $2 and v.issue_id = item.id and item.value is null
          returning 1),
        kept as (
          update custom_field_value v set value = item.value, updated_by = $4, updated_at = $5
          from item where v.workspace_id = $1 and v.field_id = $2 and v.issue_id = item.id and item.value is not null),
        counted as (
          update custom_field set value_count = value_count - (select count(*) from gone)
          where workspace_id = $1 and id = $2)
        update issue i set
          custom_fields = case when item.value is null then i.custom_fields - $2::text
                               else i.custom_fields || jsonb_build_object($2::text, item.value) end,
          version = i.version + 1, updated_at = greatest(i.updated_at, $5)
        from item join held using (id) where i.workspace_id = $1 and i.id = item.id`,
    },
    [workspace.id, fieldId, JSON.stringify(values), principal.user_id, now],
  );
  waited();
}
