import type { InIssue, IssueRow } from "../../access/identity/issue-row.ts";
import { isClosed } from "../../kernel/categories.ts";
import type { Writing } from "../../kernel/context.ts";
import { isSame } from "../../kernel/difference.ts";
import { membersAmong } from "../../tenancy/workspaces/members.sql.ts";
import { completedSprint } from "./board.sql.ts";
import type { Changes } from "./change.sql.ts";

/** Issues that become open again: they are reopened, or restored from the archive. */

type Planned = Pick<IssueRow, "assignee_ids" | "sprint_id">;

/** Returns what else a change does to an issue if it reopens it. Nobody asks for this, so no field policy concerns it. */
export async function changesOfReopening(ctx: InIssue & Writing, before: IssueRow, changes: Changes): Promise<Changes> {
  if (!isClosed(before.status) || isClosed(changes.status ?? before.status)) return {};
  return changesOfOpening(ctx, { ...before, ...changes });
}

/**
 * Returns what an issue loses that becomes open: assignees who left the workspace, and a sprint that is completed. Adds
 * a warning about the sprint. The caller has locked the board, so the sprint's status does not change meanwhile. Removed
 * members cannot get work back; a completed sprint gets no open issue, because its reports are final.
 */
export async function changesOfOpening(ctx: InIssue & Writing, issue: Planned): Promise<Changes> {
  const assignee_ids = await membersAmong(ctx.db, ctx.workspace.id, issue.assignee_ids);
  const sprint = issue.sprint_id === null ? null : await completedSprint(ctx, issue.sprint_id);
  if (sprint) {
    const message = `The sprint ${sprint.name} is completed, so the open issue left it.`;
    ctx.warnings.push({ code: "sprint_completed", message, sprint_id: issue.sprint_id });
  }
  return {
    ...(isSame(assignee_ids, issue.assignee_ids) ? {} : { assignee_ids }),
    ...(sprint ? { sprint_id: null } : {}),
  };
}
