import { type LabelRow, labelColumns } from "../../access/identity/issue-row.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import { isLive } from "../../kernel/present.sql.ts";

export type CountedLabel = LabelRow & { issue_count: number };
export type LabelListRow = CountedLabel & { sort_name: string };

const COUNTED = `
  select l.id, sum(s.issues) as issues
  from (select label_ids, count(*) as issues from issue i
        where project_id = $2 and ${isLive("i")} and label_ids <> '{}' group by label_ids) s,
       unnest(s.label_ids) as l(id)
  group by l.id`;

/**
 * Returns a page of a project's labels, by name. Issues are counted in one scan of the index of label sets, in which
 * equal sets are adjacent.
 * @param counts whether issues are counted; otherwise the counts are 0
 */
export function listLabels(
  { db, workspace, project }: InProject,
  { after, limit, counts = true }: { after: Cursor | null; limit: number; counts?: boolean },
): Promise<LabelListRow[]> {
  const beyond = after ? `and (lower(name) collate "C", id) > ($4::text collate "C", $5::uuid)` : "";
  return db.query<LabelListRow>(
    {
      name: `list_labels${counts ? "" : "_uncounted"}${after ? "_after" : ""}`,
      text: `
        with page as materialized (
          select ${labelColumns}, lower(name) as sort_name from label
          where workspace_id = $1 and project_id = $2 ${beyond}
          order by lower(name) collate "C", id limit $3
        ),
        counted as (${counts ? COUNTED : "select null::uuid as id, 0 as issues where false"})
        select page.*, coalesce(counted.issues, 0) as issue_count from page left join counted on counted.id = page.id
        order by sort_name collate "C", page.id`,
    },
    [workspace.id, project.id, limit, ...(after ?? [])],
  );
}

/** Returns a label with the number of its issues. */
export async function findLabel({ db, workspace, project }: InProject, id: string): Promise<CountedLabel | null> {
  const text = `
    select ${labelColumns},
           (select count(*) from issue i where project_id = $2 and ${isLive("i")} and label_ids @> array[$3::uuid])
             as issue_count
    from label where workspace_id = $1 and project_id = $2 and id = $3`;
  const [row] = await db.query<CountedLabel>({ text }, [workspace.id, project.id, id]);
  return row ?? null;
}

/** Locks a label before it is deleted. Calls that add it to an issue finish first, or wait. */
export async function lockForDeletion({ db, workspace, waited }: InProject & Writing, labelId: string): Promise<void> {
  const text = `select 1 from label where workspace_id = $1 and id = $2 for update`;
  await db.query({ text }, [workspace.id, labelId]);
  waited();
}

/** Returns the id of the label with this name, ignoring case like the unique index. */
export async function labelNamed({ db, workspace, project }: InProject, name: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    { text: `select id from label where workspace_id = $1 and project_id = $2 and lower(name) = lower($3)` },
    [workspace.id, project.id, name],
  );
  return row?.id ?? null;
}
