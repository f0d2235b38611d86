import { writeRecorded } from "../../events/events.sql.ts";
import { record } from "../../events/record.ts";
import type { Category } from "../../kernel/categories.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { isSame } from "../../kernel/difference.ts";
import type { FullIssue } from "../issues/change.sql.ts";
import { readSome } from "../issues/change-many.sql.ts";
import { issueArchived } from "../issues/events.ts";
import { namesOf } from "../issues/history.sql.ts";
import { recordComparedIssue } from "../issues/history.ts";
import { labelsOf, viewOf } from "../issues/view.ts";
import { updateBlockedBySome } from "../links/blockers.ts";
import { archiveSome, countInParents, holdPlans, recategorise, STATUS_DELETED } from "./status-issues.sql.ts";
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
  await holdPlans(ctx, ids);
  const overwritten = await recategorise(ctx, ids, { category: to.category, at, change });
  const [done, cancelled] = [stepOf("done", from, to), stepOf("cancelled", from, to)];
  if (done !== 0 || cancelled !== 0) await countInParents(ctx, ids, { children: 0, done, cancelled });

  const issues = await inOrder(ctx, ids);
  const changed = issues.map((issue) => {
    const after = { ...issue, status_name: to.name };
    return { before: { ...after, ...overwritten.get(issue.id)!, status_name: from.name }, after };
  });
  const names = await namesOf(ctx.tx, ctx.workspace.id, changed.flatMap(idsOfPlans));
  for (const { before, after } of changed) recordComparedIssue(ctx, before, after, names);
  await storeEvents(ctx);
  // An issue may both move and become unblocked. Its move is recorded first.
  await updateBlockedBySome(ctx, ids, { status: from.category }, { status: to.category });
}

/** The ids of the sprint and the people that an issue loses or gets back. */
function idsOfPlans({ before, after }: { before: FullIssue; after: FullIssue }): string[] {
  const sprints = before.sprint_id === after.sprint_id ? [] : [before.sprint_id, after.sprint_id];
  const people = isSame(before.assignee_ids, after.assignee_ids) ? [] : [...before.assignee_ids, ...after.assignee_ids];
  return [...new Set([...sprints, ...people])].filter((id) => id !== null);
}

/** Archives some live issues of a deleted column, and stores their events and history. The issues are locked. */
export async function archiveColumnOf(
  ctx: InProject & Writing,
  ids: string[],
  { status, at }: { status: Column; at: string },
): Promise<void> {
  const [done, cancelled] = [stepOf("done", status, null), stepOf("cancelled", status, null)];
  await countInParents(ctx, ids, { children: -1, done, cancelled });
  await archiveSome(ctx, ids, at);
  const activity = [{ kind: "archived", payload: { reason: STATUS_DELETED, status_name: status.name } }];
  for (const issue of await inOrder(ctx, ids)) {
    record(ctx, issueArchived, viewOf(ctx, issue, labelsOf(issue)), { issue_id: issue.id, activity });
  }
  await storeEvents(ctx);
  await updateBlockedBySome(ctx, ids, { status: status.category }, null);
}

/** Returns by how much a move from one column to another changes the number of issues of a category. */
const stepOf = (category: Category, from: Column, to: Column | null) =>
  Number(to?.category === category) - Number(from.category === category);

const storeEvents = (ctx: InProject & Writing) => writeRecorded(ctx, ctx.recorded.splice(0));

/** Reads issues in the order of their ids in the list. */
async function inOrder(ctx: InProject, ids: string[]): Promise<FullIssue[]> {
  const found = new Map((await readSome(ctx, ids)).map((issue) => [issue.id, issue]));
  return ids.map((id) => found.get(id)!);
}
