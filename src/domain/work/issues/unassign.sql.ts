import { CATEGORIES, isClosed } from "../../kernel/categories.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { lockBoardsIn } from "../../kernel/locks.sql.ts";
import { lockIssues } from "../mass-changes/settle.ts";

/** A user's open issues in all projects of the workspace. */
const theirs = `i.workspace_id = $1 and i.assignee_ids @> array[$2::uuid] and i.archived_at is null
  and i.status in (${CATEGORIES.filter((category) => !isClosed(category))
    .map((category) => `'${category}'`)
    .join(", ")})`;

/** Locks the boards of the user's open issues. */
export async function lockBoardsOf(ctx: InWorkspace & Writing, userId: string): Promise<void> {
  const text = `array(select i.project_id from issue i where ${theirs})`;
  await lockBoardsIn(ctx, { text }, [ctx.workspace.id, userId]);
}

/**
 * Unassigns the user from a batch of these issues. Returns the earlier assignees of each issue; an empty list if none
 * is left.
 */
export async function unassignBatch(
  ctx: InWorkspace & Writing,
  userId: string,
  max: number,
): Promise<Map<string, string[]>> {
  const { db, workspace } = ctx;
  const found = await db.query<{ id: string }>(
    { text: `select i.id from issue i where ${theirs} order by i.id limit $3` },
    [workspace.id, userId, max],
  );
  const ids = found.map(({ id }) => id);
  // Nobody moves them, because the boards are locked; but somebody else may just have unassigned the user.
  await lockIssues(ctx, ids);
  const part = await db.query<{ id: string; assignee_ids: string[] }>(
    { text: `select i.id, i.assignee_ids from issue i where ${theirs} and i.id = any($3::uuid[])` },
    [workspace.id, userId, ids],
  );
  if (part.length === 0 && ids.length > 0) return unassignBatch(ctx, userId, max);
  await db.query(
    {
      text: `
        update issue set assignee_ids = array_remove(assignee_ids, $3), version = version + 1, updated_at = $4
        where workspace_id = $1 and id = any($2::uuid[])`,
    },
    [workspace.id, part.map(({ id }) => id), userId, ctx.now],
  );
  return new Map(part.map((row) => [row.id, row.assignee_ids]));
}
