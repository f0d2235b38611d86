import { writeRecorded } from "../../events/events.sql.ts";
import { record, recordChange } from "../../events/record.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import type { FullIssue } from "../issues/change.sql.ts";
import { readSome } from "../issues/change-many.sql.ts";
import { issueArchived, issueStatusChanged, issueUpdated } from "../issues/events.ts";
import { labelsOf, pureViewOf } from "../issues/view.ts";
import { updateBlockedBySome } from "../links/blockers.ts";
import { archiveSome, countInParents, type Moved, recategorise, STATUS_DELETED } from "./status-issues.sql.ts";
import type { StatusView } from "./status-view.ts";

/** What a changed or deleted column makes of its issues. Each issue gets its own events. */

/** The column as it was and as it is now, as far as its issues and their history tell it. */
export type Setting = { from: Column; to: Column };
type Column = Pick<StatusView, "id" | "name" | "category">;

/**
 * Moves some live issues of a column to its new category, and stores their events and history. The issues are locked.
 * @param at when the column got it
 * @param change the id of that change
 */
export async function moveSome(
  ctx: InProject & Writing,
  ids: string[],
  { from, to, at, change }: Setting & { at: string; change: string },
): Promise<void> {
  const overwritten = await recategorise(ctx, ids, { category: to.category, at, change });
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
  await storeEvents(ctx);
  // An issue may both move and become unblocked. Its move is recorded first.
  await updateBlockedBySome(ctx, ids, { status: from.category }, { status: to.category });
}

/** Archives some live issues of a deleted column, and stores their events and history. The issues are locked. */
export async function archiveColumnOf(
  ctx: InProject & Writing,
  ids: string[],
  { status, at }: { status: Column; at: string },
): Promise<void> {
  await countInParents(ctx, ids, { children: -1, done: status.category === "done" ? -1 : 0 });
  await archiveSome(ctx, ids, at);
  const activity = [{ kind: "archived", payload: { reason: STATUS_DELETED, status_name: status.name } }];
  for (const issue of await inOrder(ctx, ids)) {
    record(ctx, issueArchived, pureViewOf(ctx, issue, labelsOf(issue)), { issue_id: issue.id, activity });
  }
  await storeEvents(ctx);
  await updateBlockedBySome(ctx, ids, { status: status.category }, null);
}

const storeEvents = (ctx: InProject & Writing) => writeRecorded(ctx, ctx.recorded.splice(0));

/** Reads issues in the order of their ids in the list. */
async function inOrder(ctx: InProject, ids: string[]): Promise<FullIssue[]> {
  const found = new Map((await readSome(ctx, ids)).map((issue) => [issue.id, issue]));
  return ids.map((id) => found.get(id)!);
}
