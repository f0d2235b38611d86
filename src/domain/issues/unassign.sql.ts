import type { InWorkspace } from "../context.ts";
import type { FullIssue } from "./change.sql.ts";
import { CATEGORIES, isClosed, issueColumns, issueJoins, labelsJson } from "./rows.ts";

/** Somebody's open issues, in all projects of the workspace. */
const theirs = `i.workspace_id = $1 and i.assignee_ids @> array[$2::uuid] and i.archived_at is null
  and i.status in (${CATEGORIES.filter((category) => !isClosed(category))
    .map((category) => `'${category}'`)
    .join(", ")})`;

/** Holds the boards with such issues, always in the same order, so that no move on one of them waits in a circle. */
export async function lockBoardsOf({ db, workspace }: InWorkspace, userId: string): Promise<void> {
  await db.query(
    {
      text: `
        select 1 from issue_counter where project_id in (select i.project_id from issue i where ${theirs})
        order by project_id for update`,
    },
    [workspace.id, userId],
  );
}

/** Takes them off a part of these issues. Answers who each was assigned to before; nothing once there are no more. */
export async function unassignPart(
  { db, workspace, now }: InWorkspace,
  userId: string,
  most: number,
): Promise<Map<string, string[]>> {
  const rows = await db.query<{ id: string; assignee_ids: string[] }>(
    {
      text: `
        with part as (select i.id, i.assignee_ids from issue i where ${theirs} order by i.id limit $4 for no key update)
        update issue i set assignee_ids = array_remove(i.assignee_ids, $2), version = i.version + 1, updated_at = $3
        from part where i.workspace_id = $1 and i.id = part.id
        returning i.id, part.assignee_ids`,
    },
    [workspace.id, userId, now, most],
  );
  return new Map(rows.map((row) => [row.id, row.assignee_ids]));
}

/** Issues of several projects, with what their views need of those. */
export function readIssues(
  { db, workspace }: Pick<InWorkspace, "db" | "workspace">,
  ids: string[],
): Promise<(FullIssue & { project_key: string; project_slug: string })[]> {
  return db.query(
    {
      text: `
        select ${issueColumns}, ${labelsJson}, p.key as project_key, p.slug as project_slug
        from issue i ${issueJoins} join project p on p.id = i.project_id
        where i.workspace_id = $1 and i.id = any($2::uuid[]) order by i.id`,
    },
    [workspace.id, ids],
  );
}
