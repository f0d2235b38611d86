import { issueColumns, issueJoins, labelsJson } from "../../access/identity/issue-row.ts";
import type { Category } from "../../kernel/categories.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import type { FullIssue } from "../issues/change.sql.ts";

/** Changes of all issues of a column. The board is locked, so no issue enters or leaves the column meanwhile. */

/** The times that moves set. */
export type Stamps = Pick<FullIssue, "started_at" | "resolved_at">;

/**
 * Sets another category for the column's issues, and the times that follow: those that an issue had before with such a
 * category, else those that a single move would set. Returns the overwritten times by issue. Only moves and settings
 * write them, and the board is locked, so the values that the statement read first are the latest ones.
 */
export async function recategorise(
  { db, workspace, now, waited }: InProject & Writing,
  statusId: string,
  category: Category,
): Promise<Map<string, Stamps>> {
  const rows = await db.query<Stamps & { id: string }>(
    {
      text: `
        update issue i set
          status = $3,
          started_at = t.started_at,
          resolved_at = t.resolved_at,
          earlier_times = t.earlier_times,
          version = i.version + 1,
          updated_at = greatest(i.updated_at, $4)
        from issue o,
             times_in_category(o.status, o.started_at, o.resolved_at, o.earlier_times, $3, $4::timestamptz) t
        where i.workspace_id = $1 and i.status_id = $2 and i.archived_at is null and o.id = i.id
        returning i.id, o.started_at, o.resolved_at`,
    },
    [workspace.id, statusId, category, now],
  );
  waited();
  return new Map(rows.map(({ id, ...stamps }) => [id, stamps]));
}

/** Adds to the counts that parents store of their children: `step` for each live child in the column. */
export async function countInParents(
  { db, workspace }: InProject,
  statusId: string,
  step: { children: number; done: number },
): Promise<void> {
  await db.query(
    {
      text: `
        update issue p set child_count = p.child_count + $3 * c.children,
                           child_done_count = p.child_done_count + $4 * c.children
        from (select parent_id, count(*)::int as children from issue
              where workspace_id = $1 and status_id = $2 and archived_at is null and parent_id is not null
              group by parent_id) c
        where p.workspace_id = $1 and p.id = c.parent_id`,
    },
    [workspace.id, statusId, step.children, step.done],
  );
}

export const STATUS_DELETED = "status_deleted";

/** Archives the column's issues and returns their number. */
export async function archiveAll(
  { db, workspace, now, waited }: InProject & Writing,
  statusId: string,
): Promise<number> {
  const [row] = await db.query<{ archived: number }>(
    {
      text: `
        with archived as (
          update issue set archived_at = $3, archived_reason = $4, version = version + 1,
                           updated_at = greatest(updated_at, $3)
          where workspace_id = $1 and status_id = $2 and archived_at is null
          returning 1
        ),
        emptied as (update board_status set issue_count = 0 where workspace_id = $1 and id = $2)
        select count(*) as archived from archived`,
    },
    [workspace.id, statusId, now, STATUS_DELETED],
  );
  waited();
  return row?.archived ?? 0;
}

/**
 * Reads a column's issues in batches, in the order of the board: the live ones, or those that were archived with the
 * column. It uses one cursor, so a column of any size takes one scan, and memory contains one batch only.
 */
export async function* issuesInBatches(
  { db, workspace, project }: InProject,
  statusId: string,
  which: "live" | "archived",
  max: number,
): AsyncGenerator<FullIssue[]> {
  const state =
    which === "live"
      ? "i.archived_at is null"
      : `i.archived_at is not null and i.archived_reason = '${STATUS_DELETED}'`;
  await db.query(
    {
      text: `
        declare column_issues no scroll cursor for
        select ${issueColumns}, ${labelsJson} from issue i ${issueJoins}
        where i.workspace_id = $1 and i.project_id = $2 and i.status_id = $3 and ${state}
        order by i.rank, i.id`,
    },
    [workspace.id, project.id, statusId],
  );
  for (;;) {
    const issues = await db.query<FullIssue>({ text: `fetch ${max} from column_issues` });
    if (issues.length > 0) yield issues;
    if (issues.length < max) break;
  }
  await db.query({ text: `close column_issues` });
}
