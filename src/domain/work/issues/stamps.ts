import type { IssueRow } from "../../access/identity/issue-row.ts";
import { isClosed, isStarted } from "../../kernel/categories.ts";
import type { Changes } from "./change.sql.ts";

/**
 * Returns `started_at`, the first start, and `resolved_at`, the entry into a closed category. `resolved_at` stays the
 * same while the issue is in closed categories.
 */
export function stamps(
  now: string,
  issue: Pick<IssueRow, "status" | "started_at" | "resolved_at">,
  to: IssueRow["status"],
): Changes {
  const started_at = issue.started_at ?? (isStarted(to) ? now : null);
  const resolved_at = isClosed(to) ? (isClosed(issue.status) && issue.resolved_at ? issue.resolved_at : now) : null;
  return { started_at, resolved_at };
}
