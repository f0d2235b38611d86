import { writeRecorded } from "../../events/events.sql.ts";
import { record, recordChange } from "../../events/record.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { checkFieldOfMany } from "../issues/allowed-fields.ts";
import type { FullIssue } from "../issues/change.sql.ts";
import { readSome } from "../issues/change-many.sql.ts";
import { issueArchived, issueStatusChanged, issueUpdated } from "../issues/events.ts";
import { labelsOf, pureViewOf } from "../issues/view.ts";
import { updateBlockedBySome } from "../links/blockers.ts";
import {
  archiveSome,
  countInParents,
  emptyColumn,
  issuesIn,
  type Moved,
  recategorise,
  STATUS_DELETED,
} from "./status-issues.sql.ts";
import type { StatusView } from "./status-view.ts";

/** Changes that a changed or deleted column makes to its issues. Each issue gets its own events. */

/** The column as it was and as it is now, as far as its issues and their history tell it. */
export type Setting = { from: Column; to: Column };
type Column = Pick<StatusView, "id" | "name" | "category">;

/** Number of issues that are changed and recorded at a time. One may contain 64 kB of text. */
const BATCH_SIZE = 200;

/** Moves a column's issues to its new category. */
export async function moveIssues(ctx: InProject & Writing, setting: Setting): Promise<void> {
  const ids = await issuesIn(ctx, setting.to.id);
  if (ids.length > 0) checkFieldOfMany(ctx.principal, "status");
  await inBatches(ids, (some) => moveSome(ctx, some, setting));
}

/** Archives a deleted column's issues and returns their number. */
export async function archiveIssues(ctx: InProject & Writing, status: Column): Promise<number> {
  const ids = await issuesIn(ctx, status.id);
  await inBatches(ids, (some) => archiveColumnOf(ctx, some, status));
  await emptyColumn(ctx, status.id);
  return ids.length;
}

/** Moves some live issues of a column to its new category, and stores their events and history. */
export async function moveSome(ctx: InProject & Writing, ids: string[], { from, to }: Setting): Promise<void> {
  const earlier = ctx.recorded.length;
  const overwritten = await recategorise(ctx, ids, to.category);
  const done = Number(to.category === "done") - Number(from.category === "done");
  if (done !== 0) await countInParents(ctx, ids, { children: 0, done });

  const payload = {
    field: "status",
    from: from.category,
    to: to.category,
    from_id: to.id,
    to_id: to.id,
    from_name: from.name,
    to_name: to.name,
  };
  for (const issue of await inOrder(ctx, ids)) {
    // The fields of an issue that a new category changes, except derived ones.
    const before = overwritten.get(issue.id) as Moved;
    const about = { issue_id: issue.id };
    const view = pureViewOf(ctx, issue, labelsOf(issue));
    recordChange(ctx, issueStatusChanged, before, view, about);
    recordChange(ctx, issueUpdated, before, view, { ...about, activity: [{ kind: "status_changed", payload }] });
  }
  await writeRecorded(ctx, ctx.recorded.splice(earlier));
  // An issue may both move and become unblocked. Its move is recorded first.
  await updateBlockedBySome(ctx, ids, { status: from.category }, { status: to.category });
}

/** Archives some live issues of a deleted column, and stores their events and history. */
export async function archiveColumnOf(ctx: InProject & Writing, ids: string[], status: Column): Promise<void> {
  const earlier = ctx.recorded.length;
  await countInParents(ctx, ids, { children: -1, done: status.category === "done" ? -1 : 0 });
  await archiveSome(ctx, ids);
  const activity = [{ kind: "archived", payload: { reason: STATUS_DELETED, status_name: status.name } }];
  for (const issue of await inOrder(ctx, ids)) {
    record(ctx, issueArchived, pureViewOf(ctx, issue, labelsOf(issue)), { issue_id: issue.id, activity });
  }
  await writeRecorded(ctx, ctx.recorded.splice(earlier));
  await updateBlockedBySome(ctx, ids, { status: status.category }, null);
}

/** Reads issues in the order of their ids in the list. */
async function inOrder(ctx: InProject, ids: string[]): Promise<FullIssue[]> {
  const found = new Map((await readSome(ctx, ids)).map((issue) => [issue.id, issue]));
  return ids.map((id) => found.get(id)!);
}

async function inBatches(ids: string[], work: (some: string[]) => Promise<void>): Promise<void> {
  for (let at = 0; at < ids.length; at += BATCH_SIZE) await work(ids.slice(at, at + BATCH_SIZE));
}
