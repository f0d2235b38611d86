import type { InIssue, InProject, Writing } from "../context.ts";
import { refuse } from "../errors.ts";
import { record } from "../events.ts";
import { lockBoardsBlockedBy } from "../links/blockers.sql.ts";
import { tellBlocked } from "../links/blockers.ts";
import { columnsOf } from "./board.sql.ts";
import { lockIssue, recount, rereadIssue, updateIssue } from "./change.sql.ts";
import { stamps } from "./change.ts";
import { type IssueView, labelsOf, pureViewOf, viewOf } from "./view.ts";

/** Archives an issue; archiving again changes nothing. */
export async function archive(ctx: InIssue & Writing): Promise<IssueView> {
  await lockBoardsBlockedBy(ctx);
  const issue = await lockIssue(ctx, ctx.issue.id);
  if (issue.archived_at) return viewOf(ctx, issue, labelsOf(issue));

  await updateIssue(ctx, issue.id, { archived_at: ctx.now, archived_reason: "archived" });
  await recount(ctx, issue, null);
  const view = await viewAgain(ctx, issue.id);
  record(ctx, "issue.archived", {
    ...placeOf(ctx, issue.id),
    data: view,
    activity: [{ kind: "archived", payload: {} }],
  });
  await tellBlocked(ctx, issue.id, issue, null);
  return view;
}

/**
 * Brings an archived issue back to its column, else the first of its category, else the default one.
 * @throws Refusal restore_window_over
 */
export async function restore(ctx: InIssue & Writing): Promise<IssueView> {
  await lockBoardsBlockedBy(ctx);
  const issue = await lockIssue(ctx, ctx.issue.id);
  if (!issue.archived_at) return viewOf(ctx, issue, labelsOf(issue));
  checkRestoreWindow(ctx, issue.archived_at);

  const columns = await columnsOf(ctx.db, ctx.workspace.id, ctx.project.id);
  const column =
    columns.find((c) => c.id === issue.status_id) ??
    columns.find((c) => c.category === issue.status) ??
    columns.find((c) => c.id === ctx.project.default_column?.id) ??
    columns[0]!;
  const restamped = column.category === issue.status ? {} : stamps(ctx.now, issue, column.category);
  const back = {
    ...restamped,
    archived_at: null,
    archived_reason: null,
    status_id: column.id,
    status: column.category,
  };
  await updateIssue(ctx, issue.id, back);
  await recount(ctx, null, { ...issue, ...back });
  const view = await viewAgain(ctx, issue.id);
  record(ctx, "issue.restored", {
    ...placeOf(ctx, issue.id),
    data: view,
    activity: [{ kind: "restored", payload: {} }],
  });
  await tellBlocked(ctx, issue.id, null, back);
  return view;
}

/** Archived objects come back within a limited time, after which their files may be gone. */
export function checkRestoreWindow(ctx: Pick<InProject, "now" | "settings">, archivedAt: string): void {
  const { restoreWindowDays } = ctx.settings;
  if (restoreWindowDays === null) return;
  const end = new Date(Date.parse(archivedAt) + restoreWindowDays * 86_400_000).toISOString();
  if (ctx.now > end) refuse("restore_window_over", { archived_at: archivedAt, window_days: restoreWindowDays });
}

async function viewAgain(ctx: InIssue, issueId: string): Promise<IssueView> {
  const row = await rereadIssue(ctx, issueId);
  return pureViewOf(ctx, row, labelsOf(row));
}

const placeOf = (ctx: InIssue, issueId: string) => ({
  workspace_id: ctx.workspace.id,
  project_id: ctx.project.id,
  issue_id: issueId,
});
