import { writeRecorded } from "../../events/events.sql.ts";
import { type Category, isClosed } from "../../kernel/categories.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { recordComparedIssue } from "../issues/history.ts";
import { readStoredIssues } from "../issues/of-projects.sql.ts";
import { countBlockers, countBlockersFrom, type Step } from "./blockers.sql.ts";

/** Null if the issue is archived. */
type State = { status: Category } | null;

/** Updates the issues that an issue blocks after it was opened, closed, archived or restored. */
export async function updateBlocked(ctx: InProject & Writing, issueId: string, from: State, to: State): Promise<void> {
  const step = stepOf(from, to);
  if (step) await recordBlockedChanges(ctx, await countBlockers(ctx, [issueId], step));
}

/** The same for several issues of one board that change in the same way. */
export async function updateBlockedBySome(
  ctx: InProject & Writing,
  ids: string[],
  from: State,
  to: State,
): Promise<void> {
  const step = stepOf(from, to);
  if (step) await recordBlockedChanges(ctx, await countBlockers(ctx, ids, step));
}

/** Updates the issues of other projects that this project's issues block after the project was archived or restored. */
export async function updateBlockedByProject(ctx: InProject & Writing, step: Step): Promise<void> {
  await recordBlockedChanges(ctx, await countBlockersFrom(ctx, step));
}

function stepOf(from: State, to: State): Step | null {
  const [before, after] = [isBlocking(from), isBlocking(to)];
  if (before === after) return null;
  return after ? 1 : -1;
}

/** Whether an issue in this state blocks its targets. */
export const isBlocking = (state: State): boolean => state !== null && !isClosed(state.status);

/** Number of issues that are read and recorded at a time. One may contain 64 kB of text. */
const BATCH_SIZE = 200;

/**
 * Records that issues became blocked or unblocked. Each batch is stored at once, so that memory never contains more
 * than one. What is still to come for the issues has events of its own, which follow: with it, two events would have the
 * same version, and the count of blockers might not say what turned.
 */
async function recordBlockedChanges(ctx: InProject & Writing, ids: string[]): Promise<void> {
  const earlier = ctx.recorded.length;
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    for (const { project_key: key, project_slug: slug, ...issue } of await readStoredIssues(
      ctx,
      ids.slice(at, at + BATCH_SIZE),
    )) {
      const before = { ...issue, open_blocker_count: issue.open_blocker_count === 0 ? 1 : 0 };
      recordComparedIssue({ ...ctx, project: { key, slug } }, before, issue, new Map());
    }
    await writeRecorded(ctx, ctx.recorded.splice(earlier));
  }
}
