import { writeRecorded } from "../../events/events.sql.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { lockBoards } from "../../kernel/locks.sql.ts";
import { leaveToWorker } from "../../tenancy/workspaces/departures.sql.ts";
import { lockIssues } from "../mass-changes/settle.ts";
import { recordComparedIssue } from "./history.ts";
import { readIssues } from "./of-projects.sql.ts";
import { openIssuesOf, unassignLocked } from "./unassign.sql.ts";

/** So many issues are changed in the call itself. */
const FEW = 200;

type Person = { user_id: string; name: string | null };

/**
 * Locks the boards of the open issues of a user who is about to be removed. Returns whether it did: nobody's boards are
 * locked if there are too many issues for the call.
 */
export async function lockBoardsOf(ctx: InWorkspace & Writing, userId: string): Promise<boolean> {
  const issues = await openIssuesOf(ctx.db, ctx.workspace.id, userId, FEW + 1);
  if (issues.length > FEW) return false;
  await lockBoards(ctx, [...new Set(issues.map(({ project_id }) => project_id))]);
  return true;
}

/**
 * Unassigns a user from all open issues of the workspace, or leaves it to a worker if these are many
 * (unassign-departed.ts). Closed issues keep their assignees, who did the work. The caller has locked the member, so that
 * nobody assigns them meanwhile.
 * @param locked whether the boards are locked
 */
export async function unassignOpenIssues(ctx: InWorkspace & Writing, person: Person, locked: boolean): Promise<void> {
  const issues = locked ? await openIssuesOf(ctx.db, ctx.workspace.id, person.user_id, FEW + 1) : [];
  if (!locked || issues.length > FEW) return leaveToWorker(ctx, person.user_id);
  await unassign(
    ctx,
    person,
    issues.map(({ id }) => id),
  );
}

/**
 * Unassigns a user from those of these issues that are open, and records it. The caller has locked the boards. Returns
 * the number of issues.
 */
export async function unassign(
  ctx: Pick<InWorkspace, "workspace"> & Writing,
  { user_id, name }: Person,
  ids: string[],
): Promise<number> {
  if (ids.length === 0) return 0;
  await lockIssues(ctx, ids);
  const assigned = await unassignLocked(ctx, user_id, ids);
  const names = new Map([[user_id, name]]);
  const earlier = ctx.recorded.length;
  for (const { project_key: key, project_slug: slug, ...issue } of await readIssues(ctx, [...assigned.keys()])) {
    const before = { ...issue, assignee_ids: assigned.get(issue.id)! };
    recordComparedIssue({ ...ctx, project: { key, slug } }, before, issue, names);
  }
  // Stored at once, so that memory never contains more than these.
  await writeRecorded(ctx, ctx.recorded.splice(earlier));
  return assigned.size;
}
