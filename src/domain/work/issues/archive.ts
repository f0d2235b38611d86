import type { InIssue, IssueRow } from "../../access/identity/issue-row.ts";
import { record } from "../../events/record.ts";
import { isClosed } from "../../kernel/categories.ts";
import type { Writing } from "../../kernel/context.ts";
import type { ActivityLine } from "../../kernel/recorded.ts";
import { checkRestoreWindow } from "../../kernel/restore-window.ts";
import { warnOfRequired } from "../fields/of-issue.ts";
import { lockBoardsBlockedBy } from "../links/blockers.sql.ts";
import { updateBlocked } from "../links/blockers.ts";
import { type Column, columnsOf } from "./board.sql.ts";
import { becauseOfCategory, type Changes, lockIssue, readIssue, recount, updateIssue } from "./change.sql.ts";
import { checkWip } from "./columns.ts";
import { issueArchived, issueRestored } from "./events.ts";
import { namesOf } from "./history.sql.ts";
import { ranksAt } from "./ranks.ts";
import { changesOfOpening } from "./reopening.ts";
import { stamps } from "./stamps.ts";
import { type IssueView, labelsOf, viewOf } from "./view.ts";

/** Archives an issue. Archiving it again changes nothing. */
export async function archive(ctx: InIssue & Writing): Promise<IssueView> {
  await lockBoardsBlockedBy(ctx);
  const issue = await lockIssue(ctx, ctx.issue.id);
  if (issue.archived_at) return viewOf(ctx, issue, labelsOf(issue));

  await updateIssue(ctx, issue.id, { archived_at: ctx.now, archived_reason: "archived" });
  await recount(ctx, issue, null);
  const view = await viewAgain(ctx, issue.id);
  record(ctx, issueArchived, view, { issue_id: issue.id, activity: [{ kind: "archived", payload: {} }] });
  await updateBlocked(ctx, issue.id, issue, null);
  return view;
}

/**
 * Restores an archived issue to its column, else to the first column of its category, else to the default column. The
 * column's limit applies, because one more issue is in it; the rules for moves do not. Assignees who left the workspace
 * meanwhile are removed if the issue is open, and so is a sprint that is completed.
 * @throws Refusal restore_window_over, wip_limit_exceeded
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
  checkWip(ctx, column, 1);
  const restamped = column.category === issue.status ? {} : await restampedFor(ctx, issue, column);
  const left = isClosed(column.category) ? {} : await changesOfOpening(ctx, issue);
  // Another issue may have taken its rank.
  const [rank] = await ranksAt(ctx, [{ rank: issue.rank }], issue.id);
  const back = {
    ...restamped,
    ...left,
    rank: rank!,
    archived_at: null,
    archived_reason: null,
    status_id: column.id,
    status: column.category,
  };
  await warnOfRequired(ctx, { ...issue, ...back });
  await updateIssue(ctx, issue.id, back);
  await recount(ctx, null, { ...issue, ...back });
  const view = await viewAgain(ctx, issue.id);
  record(ctx, issueRestored, view, {
    issue_id: issue.id,
    activity: [{ kind: "restored", payload: {} }, ...(await linesOfPlans(ctx, issue, { ...issue, ...back }))],
  });
  await updateBlocked(ctx, issue.id, null, back);
  return view;
}

/** What follows for an issue whose column has another category now, or that goes to another column. */
const restampedFor = (ctx: InIssue & Writing, issue: IssueRow, column: Column): Promise<Changes> | Changes =>
  column.id === issue.status_id
    ? becauseOfCategory(ctx, issue.id, column.category)
    : stamps(ctx.now, issue, column.category);

type Planned = Pick<IssueRow, "assignee_ids" | "sprint_id">;

/** The lines of history about people and a sprint that the issue loses or gets back. */
async function linesOfPlans(ctx: InIssue, before: Planned, after: Planned): Promise<ActivityLine[]> {
  const without = (some: string[], others: string[]) => some.filter((id) => !others.includes(id));
  const from = without(before.assignee_ids, after.assignee_ids);
  const to = without(after.assignee_ids, before.assignee_ids);
  const sprints = before.sprint_id === after.sprint_id ? [] : [before.sprint_id, after.sprint_id];
  const ids = [...from, ...to, ...sprints].filter((id) => id !== null);
  if (ids.length === 0) return [];
  const names = await namesOf(ctx.db, ctx.workspace.id, ids);
  const named = (people: string[]) => people.flatMap((id) => names.get(id) ?? []).join(", ");
  const lines: ActivityLine[] = [];
  if (to.length > 0) lines.push({ kind: "assigned", payload: { field: "assignees", to, to_name: named(to) } });
  if (from.length > 0) {
    lines.push({ kind: "unassigned", payload: { field: "assignees", from, from_name: named(from) } });
  }
  if (sprints.length > 0) {
    const [from_name, to_name] = sprints.map((id) => (id === null ? null : (names.get(id) ?? null)));
    const payload = { field: "sprint_id", from: before.sprint_id, to: after.sprint_id, from_name, to_name };
    lines.push({ kind: "sprint_changed", payload });
  }
  return lines;
}

async function viewAgain(ctx: InIssue, issueId: string): Promise<IssueView> {
  const row = await readIssue(ctx, issueId);
  return viewOf(ctx, row, labelsOf(row));
}
