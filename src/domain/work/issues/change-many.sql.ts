import { issueColumns, issueJoins, labelsJson } from "../../access/identity/issue-row.ts";
import { CATEGORIES, isClosed } from "../../kernel/categories.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import type { FullIssue } from "./change.sql.ts";

/** Reads and writes for the same change to many issues. */

/**
 * Columns that assign an issue to a milestone, sprint or release. The names are constants of ours, never a client's.
 */
export type PlanningColumn = "milestone_id" | "sprint_id" | "release_id";

/** Categories of open issues, for `in (…)`. */
export const OPEN = CATEGORIES.filter((category) => !isClosed(category))
  .map((category) => `'${category}'`)
  .join(", ");

/**
 * Locks the issues of a milestone, sprint or release, in the order of their ids, and returns the ids: of all of them,
 * including archived ones, or only of open ones.
 */
export async function lockPlanned(
  { db, workspace, waited }: InProject & Writing,
  column: PlanningColumn,
  plannedFor: string,
  which: "all" | "open",
): Promise<string[]> {
  const open = which === "open" ? `and archived_at is null and status in (${OPEN})` : "";
  const rows = await db.query<{ id: string }>(
    {
      text: `select id from issue where workspace_id = $1 and ${column} = $2 ${open} order by id for no key update`,
    },
    [workspace.id, plannedFor],
  );
  waited();
  return rows.map(({ id }) => id);
}

/**
 * Locks the issues with a label, including archived ones, and returns their ids. An issue may lose the label while the
 * statement waits for its lock.
 */
export async function lockLabelled(
  { db, workspace, project, waited }: InProject & Writing,
  labelId: string,
): Promise<string[]> {
  const labelled = (state: string) => `
    select id from issue where workspace_id = $1 and project_id = $2 and archived_at is ${state}
      and label_ids @> array[$3::uuid]`;
  const rows = await db.query<{ id: string }>(
    {
      // The query finds issues that are not archived by index. Of archived ones it reads all of the project.
      text: `
        select id from issue
        where id in (${labelled("null")} union all ${labelled("not null")}) and workspace_id = $1
        order by id for no key update`,
    },
    [workspace.id, project.id, labelId],
  );
  waited();
  return rows.map(({ id }) => id);
}

export function readSome({ db, workspace }: InProject, ids: string[]): Promise<FullIssue[]> {
  return db.query<FullIssue>(
    {
      name: "read_some_issues",
      text: `select ${issueColumns}, ${labelsJson} from issue i ${issueJoins}
             where i.workspace_id = $1 and i.id = any($2::uuid[]) order by i.id`,
    },
    [workspace.id, ids],
  );
}

/** Assigns issues to another milestone, sprint or release, or to none. */
export async function planFor(
  { db, workspace, now }: InProject,
  ids: string[],
  column: PlanningColumn,
  to: string | null,
): Promise<void> {
  await db.query(
    {
      name: `plan_issues_${column}`,
      text: `update issue set ${column} = $3::uuid, version = version + 1, updated_at = $4
             where workspace_id = $1 and id = any($2::uuid[])`,
    },
    [workspace.id, ids, to, now],
  );
}

export async function removeLabel({ db, workspace, now }: InProject, ids: string[], labelId: string): Promise<void> {
  await db.query(
    {
      name: "take_label_off",
      text: `update issue set label_ids = array_remove(label_ids, $3::uuid), version = version + 1, updated_at = $4
             where workspace_id = $1 and id = any($2::uuid[])`,
    },
    [workspace.id, ids, labelId, now],
  );
}
