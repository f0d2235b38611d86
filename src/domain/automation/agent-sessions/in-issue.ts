import type { InIssue } from "../../access/identity/issue-row.ts";
import type { Writing } from "../../kernel/context.ts";
import { issueAfter, readIssue, updateIssue } from "../../work/issues/change.sql.ts";
import { recordIssueChange } from "../../work/issues/history.ts";

/** Stores in the issue, which is locked, whether a session on it is open. */
export async function showInIssue(ctx: InIssue & Writing, sessionId: string, isOpen: boolean): Promise<void> {
  const before = await readIssue(ctx, ctx.issue.id);
  if (before.active_session_ids.includes(sessionId) === isOpen) return;
  const others = before.active_session_ids.filter((id) => id !== sessionId);
  const changes = { active_session_ids: isOpen ? [...others, sessionId] : others };
  await updateIssue(ctx, before.id, changes);
  // Nothing happens to archived issues that anybody is told of.
  if (!before.archived_at) await recordIssueChange(ctx, before, await issueAfter(ctx, before, changes));
}
