import { writeRecorded } from "../../events/events.sql.ts";
import { type Category, isClosed } from "../../kernel/categories.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { recordDifference } from "../issues/history.ts";
import { readIssues } from "../issues/unassign.sql.ts";
import { countBlocker, countBlockersFrom, countBlockersIn, type Step } from "./blockers.sql.ts";

/** Null: archived. */
type State = { status: Category } | null;

/** Tells the issues that one blocks that it was opened or closed, archived or restored. */
export async function tellBlocked(ctx: InProject & Writing, issueId: string, from: State, to: State): Promise<void> {
  const step = stepOf(from, to);
  if (step) await recordBlockedChanges(ctx, await countBlocker(ctx, issueId, step));
}

/**
 * Tells the issues that those of a column block. Called while the column's issues are live: before they are archived.
 * Answers what has to be recorded once they have changed.
 */
export async function tellBlockedByColumn(
  ctx: InProject & Writing,
  statusId: string,
  from: State,
  to: State,
): Promise<() => Promise<void>> {
  const step = stepOf(from, to);
  const ids = step ? await countBlockersIn(ctx, statusId, step) : [];
  return () => recordBlockedChanges(ctx, ids);
}

/** Tells the issues of other projects that those of this one block that it was archived or restored. */
export async function tellBlockedByProject(ctx: InProject & Writing, step: Step): Promise<void> {
  await recordBlockedChanges(ctx, await countBlockersFrom(ctx, step));
}

function stepOf(from: State, to: State): Step | null {
  const [held, holds] = [isBlocking(from), isBlocking(to)];
  if (held === holds) return null;
  return holds ? 1 : -1;
}

/** Whether an issue holds up those that it blocks. */
export const isBlocking = (state: State): boolean => state !== null && !isClosed(state.status);

/** Issues that are read and written about at once; one may hold 64 kB of text. */
const PART = 200;

/** Records that issues are blocked now, or free. Each part is stored at once, so that no more is ever in memory. */
async function recordBlockedChanges(ctx: InProject & Writing, ids: string[]): Promise<void> {
  const earlier = ctx.recorded.length;
  for (let at = 0; at < ids.length; at += PART) {
    for (const { project_key: key, project_slug: slug, ...issue } of await readIssues(ctx, ids.slice(at, at + PART))) {
      const before = { ...issue, open_blocker_count: issue.open_blocker_count === 0 ? 1 : 0 };
      recordDifference({ ...ctx, project: { key, slug } }, before, issue, new Map());
    }
    await writeRecorded(ctx, ctx.recorded.splice(earlier));
  }
}
