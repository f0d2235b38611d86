import type { Category } from "../../kernel/categories.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import type { FullIssue } from "../issues/change.sql.ts";
import { familiesOf } from "../issues/epics.sql.ts";

/** Changes of some issues of a column. The issues are locked. */

export const STATUS_DELETED = "status_deleted";

/** What moves and settings change. */
export type Moved = Pick<FullIssue, "status" | "started_at" | "resolved_at" | "sprint_id" | "assignee_ids">;

/** Makes sure that these issues' sprints and assignees stay what they are until the transaction ends. */
export async function holdPlans({ tx, workspace }: InProject & Writing, ids: string[]): Promise<void> {
  const these = "only issue i where i.workspace_id = $1 and i.id = any($2::uuid[])";
  const hold = (text: string) => tx.query({ text }, [workspace.id, ids]);
  await hold(`
    select 1 from sprint where workspace_id = $1 and id in (select i.sprint_id from ${these}) order by id for share`);
  await hold(`
    select 1 from member where workspace_id = $1 and user_id in (select unnest(i.assignee_ids) from ${these})
    order by user_id for key share`);
}

/**
 * Sets another category for issues whose column has it now, and the times that follow: those that an issue had before
 * with such a category, else those that a single move would set. Issues that open leave completed sprints and people who
 * left, and get them back if a setting closes them again (see the SQL function in_category). Returns the overwritten
 * values by issue. The issues are locked, so the values that the statement read first are the latest ones.
 * @param at when the column got the category
 * @param change the id of that change
 */
export async function recategorise(
  { tx, workspace, waited }: InProject & Writing,
  ids: string[],
  { category, at, change }: { category: Category; at: string; change: string },
): Promise<Map<string, Moved>> {
  const rows = await tx.query<Moved & { id: string }>(
    {
      name: "recategorise_issues",
      text: `
        update issue i set
          status = $3,
          started_at = t.started_at,
          resolved_at = t.resolved_at,
          earlier_times = t.earlier_times,
          sprint_id = t.sprint_id,
          assignee_ids = t.assignee_ids,
          category_change = $5,
          version = i.version + 1,
          updated_at = greatest(i.updated_at, $4)
        from only issue o, in_category(o, $3, $4::timestamptz) t
        where i.workspace_id = $1 and i.id = any($2::uuid[]) and i.archived_at is null and o.id = i.id
        returning i.id, o.status, o.resolved_at, o.started_at, o.sprint_id, o.assignee_ids`,
    },
    [workspace.id, ids, category, at, change],
  );
  waited();
  return new Map(rows.map(({ id, ...before }) => [id, before]));
}

/** Archives issues because their column was deleted. */
export async function archiveSome(
  { tx, workspace, waited }: InProject & Writing,
  ids: string[],
  at: string,
): Promise<void> {
  await tx.query(
    {
      name: "archive_issues_of_column",
      text: `
        update issue set archived_at = $3, archived_reason = $4, version = version + 1,
                         updated_at = greatest(updated_at, $3)
        where workspace_id = $1 and id = any($2::uuid[]) and archived_at is null`,
    },
    [workspace.id, ids, at, STATUS_DELETED],
  );
  waited();
}

/** Adds to the counts that parents and epics store of their issues: `step` for each of these issues. */
export async function countInParents(
  { tx, workspace }: InProject & Writing,
  ids: string[],
  step: { children: number; done: number; cancelled: number },
): Promise<void> {
  await tx.query(
    {
      name: "count_in_parents",
      text: `
        update issue p set child_count = p.child_count + $3 * c.children,
                           child_done_count = p.child_done_count + $4 * c.children,
                           child_cancelled_count = p.child_cancelled_count + $5 * c.children
        from (select family.id, family.of_epic, count(*)::int as children from issue i, ${familiesOf("i")}
              where i.workspace_id = $1 and i.id = any($2::uuid[])
              group by 1, 2) c
        where p.workspace_id = $1 and p.id = c.id and (p.type = 'epic') = c.of_epic`,
    },
    [workspace.id, ids, step.children, step.done, step.cancelled],
  );
}

/** Stores that a deleted column has no live issue left. */
export async function emptyColumn({ db, workspace }: InProject, statusId: string): Promise<void> {
  await db.query({ text: "update board_status set issue_count = 0 where workspace_id = $1 and id = $2" }, [
    workspace.id,
    statusId,
  ]);
}
