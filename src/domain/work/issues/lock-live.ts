import type { InIssue } from "../../access/identity/issue-row.ts";
import type { Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { lockIssues } from "../mass-changes/settle.ts";
import { type FullIssue, lockIssue } from "./change.sql.ts";

/** Locks the issue before an object that belongs to it changes. @throws Refusal archived */
export async function lockLive(ctx: InIssue & Writing): Promise<void> {
  const [row] = await lockIssues(ctx, [ctx.issue.id]);
  refuseArchivedIssue(row!);
}

/** Locks the issue and then reads it. @throws Refusal archived */
export async function lockLiveIssue(ctx: InIssue & Writing): Promise<FullIssue> {
  const issue = await lockIssue(ctx, ctx.issue.id);
  refuseArchivedIssue(issue);
  return issue;
}

/** @throws Refusal archived */
export function refuseArchivedIssue({ archived_at }: { archived_at: string | null }): void {
  if (archived_at) refuse("archived", { archived_at });
}
