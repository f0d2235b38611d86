import { writeRecorded } from "../../events/events.sql.ts";
import { record, recordChange } from "../../events/record.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { checkFieldOfMany } from "../issues/allowed-fields.ts";
import { issueArchived, issueStatusChanged, issueUpdated } from "../issues/events.ts";
import { type IssueView, labelsOf, pureViewOf } from "../issues/view.ts";
import { updateBlockedByColumn } from "../links/blockers.ts";
import { archiveAll, countInParents, issuesInBatches, recategorise, type Stamps } from "./status-issues.sql.ts";
import type { StatusView } from "./status-view.ts";

/** Changes that a changed or deleted column makes to its issues. Each issue gets its own events. */

/** Moves a column's issues to its new category. */
export async function moveIssues(ctx: InProject & Writing, from: StatusView, to: StatusView): Promise<void> {
  const stamps = await recategorise(ctx, to.id, to.category);
  if (stamps.size > 0) checkFieldOfMany(ctx.principal, "status");
  const done = Number(to.category === "done") - Number(from.category === "done");
  if (done !== 0) await countInParents(ctx, to.id, { children: 0, done });

  const payload = {
    field: "status",
    from: from.category,
    to: to.category,
    from_id: to.id,
    to_id: to.id,
    from_name: from.name,
    to_name: to.name,
  };
  await forEachIssue(ctx, to.id, "live", (issue, about) => {
    const { resolved_at, started_at } = stamps.get(issue.id) as Stamps;
    // The fields of an issue that a new category changes, except derived ones.
    const before = { status: from.category, resolved_at, started_at };
    recordChange(ctx, issueStatusChanged, before, issue, about);
    recordChange(ctx, issueUpdated, before, issue, { ...about, activity: [{ kind: "status_changed", payload }] });
  });
  // An issue may both move and become unblocked. Its move is recorded first.
  const recordBlocked = await updateBlockedByColumn(ctx, to.id, { status: from.category }, { status: to.category });
  await recordBlocked();
}

/** Archives a deleted column's issues and returns their number. */
export async function archiveIssues(ctx: InProject & Writing, status: StatusView): Promise<number> {
  await countInParents(ctx, status.id, { children: -1, done: status.category === "done" ? -1 : 0 });
  const recordBlocked = await updateBlockedByColumn(ctx, status.id, { status: status.category }, null);
  const archived = await archiveAll(ctx, status.id);
  if (archived === 0) return 0;
  const activity = [{ kind: "archived", payload: { reason: "status_deleted", status_name: status.name } }];
  await forEachIssue(ctx, status.id, "archived", (issue, about) => {
    record(ctx, issueArchived, issue, { ...about, activity });
  });
  await recordBlocked();
  return archived;
}

/** Number of issues that are read and recorded at a time. One may contain 64 kB of text. */
const BATCH_SIZE = 200;

/**
 * Records the change of each issue of a column. Each batch is stored at once, so that memory never contains more than
 * one.
 */
async function forEachIssue(
  ctx: InProject & Writing,
  statusId: string,
  which: "live" | "archived",
  recordOne: (issue: IssueView, about: { issue_id: string }) => void,
): Promise<void> {
  const earlier = ctx.recorded.length;
  for await (const issues of issuesInBatches(ctx, statusId, which, BATCH_SIZE)) {
    for (const issue of issues) recordOne(pureViewOf(ctx, issue, labelsOf(issue)), { issue_id: issue.id });
    await writeRecorded(ctx, ctx.recorded.splice(earlier));
  }
}
