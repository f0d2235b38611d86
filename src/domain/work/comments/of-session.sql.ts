import type { InIssue } from "../../access/identity/issue-row.ts";
import type { Writing } from "../../kernel/context.ts";

/** Gives a heartbeat to those of these sessions that are the caller's own, on this issue, and returns their ids. */
export async function touchSessions(
  { tx, workspace, issue, principal, now }: InIssue & Writing,
  ids: readonly string[],
): Promise<string[]> {
  const text = `
    update agent_session set last_activity_at = greatest(last_activity_at, $5::timestamptz)
    where workspace_id = $1 and issue_id = $2 and agent_id = $3 and id = any($4::uuid[])
    returning id`;
  const values = [workspace.id, issue.id, principal.user_id, ids, now];
  const rows = await tx.query<{ id: string }>({ name: "touch_sessions_of_comments", text }, values);
  return rows.map(({ id }) => id);
}
