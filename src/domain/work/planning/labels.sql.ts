import { type LabelRow, labelColumns } from "../../access/identity/issue-row.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { byName } from "../../kernel/paging.sql.ts";
import type { Cursor } from "../../kernel/paging.ts";
import { isLive } from "../../kernel/present.sql.ts";
import { nameKey } from "../../kernel/text.ts";

export type CountedLabel = LabelRow & { issue_count: number };

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
): Promise<CountedLabel[]> {
  const beyond = after ? `and (${byName("name")}, id) > ($4::text, $5::uuid)` : "";
  return db.query<CountedLabel>(
    {
      name: `list_labels${counts ? "" : "_uncounted"}${after ? "_after" : ""}`,
      text: `
        with page as materialized (
          select ${labelColumns} from label
          where workspace_id = $1 and project_id = $2 ${beyond}
          order by ${byName("name")}, id limit $3
        ),
        counted as (${counts ? COUNTED : "select null::uuid as id, 0 as issues where false"})
        select page.*, coalesce(counted.issues, 0) as issue_count from page left join counted on counted.id = page.id
        order by ${byName("page.name")}, page.id`,
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

/** Returns the id of the label with this name, ignoring case. */
export async function labelNamed({ db, workspace, project }: InProject, name: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    { text: `select id from label where workspace_id = $1 and project_id = $2 and name_key(name) = $3` },
    [workspace.id, project.id, nameKey(name)],
  );
  return row?.id ?? null;
}
