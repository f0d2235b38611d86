import type { InIssue } from "../../access/identity/issue-row.ts";
import { writeRecorded } from "../../events/events.sql.ts";
import { extended, type Writing } from "../../kernel/context.ts";
import { readId } from "../../kernel/ids.ts";
import { touchSessions } from "./of-session.sql.ts";
import type { CommentView } from "./view.ts";

/** Comments that agents write in a session. */

/**
 * Returns the ids of those sessions that are the caller's own, on this issue. Each of them gets a heartbeat. The issue is
 * locked, so no session on it changes its state meanwhile.
 */
export async function touchOwnSessions(
  ctx: InIssue & Writing,
  refs: readonly (string | null | undefined)[],
): Promise<ReadonlySet<string>> {
  const ids = refs.flatMap((ref) => (ref ? (readId(ref) ?? []) : []));
  return new Set(ids.length === 0 ? [] : await touchSessions(ctx, ids));
}

/**
 * Writes events of new comments, each with the comment's session as the cause. Those without one are written with the
 * commit.
 * @param views the comments of the last recorded events, in the same order
 */
export async function writeWithSession(ctx: Writing, views: readonly CommentView[]): Promise<void> {
  const events = ctx.recorded.splice(ctx.recorded.length - views.length);
  const bySession = Map.groupBy(events.keys(), (at) => views[at]!.session_id);
  for (const [session_id, indexes] of bySession) {
    const some = indexes.map((at) => events[at]!);
    if (session_id === null) ctx.recorded.push(...some);
    else await writeRecorded(extended(ctx, { cause: { ...ctx.cause, session_id } }), some);
  }
}
