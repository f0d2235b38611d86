import type { Category } from "../../kernel/categories.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import type { FullIssue } from "../issues/change.sql.ts";
import { familiesOf } from "../issues/epics.sql.ts";

/** Changes of issues of a column, some at a time. The board is locked, so no issue enters or leaves it meanwhile. */

export const STATUS_DELETED = "status_deleted";

/** Returns the ids of a column's live issues, in the order of the board. */
export async function issuesIn({ db, workspace }: InProject, statusId: string): Promise<string[]> {
  const text = `
    select id from issue where workspace_id = $1 and status_id = $2 and archived_at is null order by rank, id`;
  return (await db.query<{ id: string }>({ text }, [workspace.id, statusId])).map(({ id }) => id);
}

/** What moves and settings change. */
export type Moved = Pick<FullIssue, "status" | "started_at" | "resolved_at">;

/**
 * Sets another category for issues whose column has it now, and the times that follow: those that an issue had before
 * with such a category, else those that a single move would set. Returns the overwritten values by issue. Only moves and
 * settings write them, and the board is locked, so the values that the statement read first are the latest ones.
 */
export async function recategorise(
  { db, workspace, now, waited }: InProject & Writing,
  ids: string[],
  category: Category,
): Promise<Map<string, Moved>> {
  const rows = await db.query<Moved & { id: string }>(
    {
      name: "recategorise_issues",
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
        where i.workspace_id = $1 and i.id = any($2::uuid[]) and i.archived_at is null and o.id = i.id
        returning i.id, o.status, o.resolved_at, o.started_at`,
    },
    [workspace.id, ids, category, now],
  );
  waited();
  return new Map(rows.map(({ id, ...before }) => [id, before]));
}

/** Archives issues because their column was deleted. */
export async function archiveSome({ db, workspace, now, waited }: InProject & Writing, ids: string[]): Promise<void> {
  await db.query(
    {
      name: "archive_issues_of_column",
      text: `
        update issue set archived_at = $3, archived_reason = $4, version = version + 1,
                         updated_at = greatest(updated_at, $3)
        where workspace_id = $1 and id = any($2::uuid[]) and archived_at is null`,
    },
    [workspace.id, ids, now, STATUS_DELETED],
  );
  waited();
}

/** Adds to the counts that parents and epics store of their issues: `step` for each of these issues. */
export async function countInParents(
  { db, workspace }: InProject,
  ids: string[],
  step: { children: number; done: number },
): Promise<void> {
  await db.query(
    {
      name: "count_in_parents",
      text: `
        update issue p set child_count = p.child_count + $3 * c.children,
                           child_done_count = p.child_done_count + $4 * c.children
        from (select family.id, family.of_epic, count(*)::int as children from issue i, ${familiesOf("i")}
              where i.workspace_id = $1 and i.id = any($2::uuid[])
              group by 1, 2) c
        where p.workspace_id = $1 and p.id = c.id and (p.type = 'epic') = c.of_epic`,
    },
    [workspace.id, ids, step.children, step.done],
  );
}

/** Stores that a deleted column has no live issue left. */
export async function emptyColumn({ db, workspace }: InProject, statusId: string): Promise<void> {
  await db.query({ text: "update board_status set issue_count = 0 where workspace_id = $1 and id = $2" }, [
    workspace.id,
    statusId,
  ]);
}
