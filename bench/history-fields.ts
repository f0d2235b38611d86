import type { Bench } from "./setup.ts";

/** Six custom fields, and their values by the number `n` of an issue. */
const FIELDS = [
  ["Customer", "text", "to_jsonb('Customer ' || n)"],
  ["Budget", "number", "to_jsonb(n)"],
  ["Severity", "select", "to_jsonb(case when n % 5000 = 0 then 'Fatal' else 'Low' end)"],
  ["Browsers", "multi_select", `case when n % 5000 = 1 then '["Opera"]'::jsonb else '["Chrome", "Safari"]' end`],
  ["Agreed on", "date", "to_jsonb((date '2020-01-01' + n % 5000)::text)"],
  ["Paid", "checkbox", "to_jsonb(n % 3 = 0)"],
] as const;

/** The custom fields of an issue, if its project has any: `c.ids` are the ids of the fields. */
export const valuesOfFields = `case when cardinality(c.ids) = 0 then '{}' else jsonb_build_object(${FIELDS.map(
  ([, , value], at) => `c.ids[${at + 1}]::text, ${value}`,
).join(", ")}) end`;

export async function addFields({ sql, ids: { projectId } }: Bench): Promise<void> {
  for (const [n, [name, kind]] of FIELDS.entries()) {
    await sql(
      `insert into custom_field (id, workspace_id, project_id, name, kind, options, rank, created_by, created_at, updated_at)
       select gen_random_uuid(), p.workspace_id, p.id, $2, $3,
              case $2 when 'Severity' then '{Low,Fatal}' when 'Browsers' then '{Chrome,Safari,Opera}' else '{}' end::text[],
              $4, (select id from app_user limit 1), now(), now()
       from project p where p.id = $1`,
      [projectId, name, kind, `a${n}`],
    );
  }
}

/** The same values as rows, which filters read. */
export async function fillValues({ sql, ids: { projectId } }: Bench): Promise<void> {
  await sql(
    `insert into custom_field_value (field_id, issue_id, workspace_id, value, updated_at)
     select v.key::uuid, i.id, i.workspace_id, v.value, now() from issue i, jsonb_each(i.custom_fields) v
     where i.project_id = $1`,
    [projectId],
  );
  await sql(
    "update custom_field f set value_count = n from (select field_id, count(*) n from custom_field_value group by 1) v where v.field_id = f.id",
  );
}
