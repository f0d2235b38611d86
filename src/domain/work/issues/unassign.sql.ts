import { CATEGORIES, isClosed } from "../../kernel/categories.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import type { Db } from "../../kernel/ports/ports.ts";

/** A user's open issues in all projects of the workspace. */
const theirs = `i.workspace_id = $1 and i.assignee_ids @> array[$2::uuid] and i.archived_at is null
  and i.status in (${CATEGORIES.filter((category) => !isClosed(category))
    .map((category) => `'${category}'`)
    .join(", ")})`;

export type Place = { id: string; project_id: string };

/** Returns some of the user's open issues, by project. */
export function openIssuesOf(db: Db, workspaceId: string, userId: string, limit: number): Promise<Place[]> {
  const text = `select i.id, i.project_id from issue i where ${theirs} order by i.project_id, i.id limit $3`;
  return db.query<Place>({ text }, [workspaceId, userId, limit]);
}

/** Unassigns the user from those of these locked issues that are open. Returns the earlier assignees of each of them. */
export async function unassignLocked(
  { db, tx, workspace, now }: Pick<InWorkspace, "workspace"> & Writing,
  userId: string,
  ids: string[],
): Promise<Map<string, string[]>> {
  const found = await db.query<{ id: string; assignee_ids: string[] }>(
    { text: `select i.id, i.assignee_ids from issue i where ${theirs} and i.id = any($3::uuid[])` },
    [workspace.id, userId, ids],
  );
  await tx.query(
    {
      text: `
        update issue set assignee_ids = array_remove(assignee_ids, $3), version = version + 1, updated_at = $4
        where workspace_id = $1 and id = any($2::uuid[])`,
    },
    [workspace.id, found.map(({ id }) => id), userId, now],
  );
  return new Map(found.map((row) => [row.id, row.assignee_ids]));
}
