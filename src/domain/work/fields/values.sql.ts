import { nameOrEmail, seesEmails } from "../../access/identity/emails.ts";
import type { InIssue } from "../../access/identity/issue-row.ts";
import { visibility, visible, visibleDoc } from "../../access/identity/visible.sql.ts";
import type { Writing } from "../../kernel/context.ts";
import { isSame } from "../../kernel/difference.ts";
import { own } from "../../kernel/own.ts";
import type { FieldRow, StoredValue } from "./rows.ts";

/** Values of one issue. Writes require locks on the issue and on the fields that get or lose a value. */

export type ValueRow = Pick<FieldRow, "id" | "name" | "kind" | "required" | "applies_to" | "precision"> & {
  value: StoredValue | null;
  updated_by: string | null;
  updated_at: string | null;
  /** Name of the person, project or doc that the value names. */
  names: string | null;
};

const read = (which: string) => `
  select f.id, f.name, f.kind, f.required, f.applies_to, f.precision, v.value, v.updated_by, v.updated_at,
         case f.kind
           when 'user' then (select ${nameOrEmail(9)} from app_user u where u.id = (v.value #>> '{}')::uuid)
           when 'project' then (select p.name from project p where p.workspace_id = $1
                                and p.id = (v.value #>> '{}')::uuid and ${visible(5)})
           when 'doc' then (select d.title from doc d left join project p on p.id = d.project_id
                            where d.workspace_id = $1 and d.id = (v.value #>> '{}')::uuid and ${visibleDoc(5)})
         end as names
  from custom_field f
  left join custom_field_value v on v.field_id = f.id and v.issue_id = $3
  where f.workspace_id = $1 and f.project_id = $2 and f.deleted_at is null and ${which}
  order by f.rank, f.id`;

/** Returns all fields that apply to the issue, by rank, with its values. */
export const readValues = (ctx: InIssue): Promise<ValueRow[]> =>
  ctx.db.query<ValueRow>(
    { name: "values_of_issue", text: read(`(f.applies_to = '{}' or $4::text = any(f.applies_to))`) },
    [
      ctx.workspace.id,
      ctx.project.id,
      ctx.issue.id,
      ctx.issue.type,
      ...visibility(ctx.principal),
      seesEmails(ctx.principal),
    ],
  );

/** Returns one field with the issue's value. */
export async function readValue(ctx: InIssue, fieldId: string): Promise<ValueRow> {
  const [row] = await ctx.db.query<ValueRow>({ name: "value_of_issue", text: read("f.id = $4") }, [
    ctx.workspace.id,
    ctx.project.id,
    ctx.issue.id,
    fieldId,
    ...visibility(ctx.principal),
    seesEmails(ctx.principal),
  ]);
  return row!;
}

type Values = Record<string, unknown>;

/** Stores the differences between an issue's values before and after, and updates the fields' counts. */
export function storeValues(ctx: InIssue & Writing, before: Values, after: Values): void {
  const gone = Object.keys(before).filter((id) => !Object.hasOwn(after, id));
  const set = Object.entries(after).filter(([id, value]) => !isSame(own(before, id), value));
  const items = set.map(([field_id, value]) => ({ field_id, value, is_new: !Object.hasOwn(before, field_id) }));
  ctx.tx.send(
    {
      name: "store_values",
      text: `
        with item as materialized (
          select * from jsonb_to_recordset($4::jsonb) as t(field_id uuid, value jsonb, is_new boolean)),
        gone as (
          delete from custom_field_value where workspace_id = $1 and issue_id = $2 and field_id = any($3::uuid[])),
        kept as (
          insert into custom_field_value (field_id, issue_id, workspace_id, value, updated_by, updated_at)
          select field_id, $2, $1, value, $5::uuid, $6::timestamptz from item
          on conflict (field_id, issue_id) do update
          set value = excluded.value, updated_by = excluded.updated_by, updated_at = excluded.updated_at)
        update custom_field f set value_count = f.value_count + n.step
        from (select field_id, 1 as step from item where is_new
              union all select unnest($3::uuid[]), -1) n
        where f.workspace_id = $1 and f.id = n.field_id`,
    },
    [ctx.workspace.id, ctx.issue.id, gone, JSON.stringify(items), ctx.principal.user_id, ctx.now],
  );
}
