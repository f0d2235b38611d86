import { type Background, write } from "../../events/background.ts";
import { cancelRun } from "./cancel.ts";
import { openRunsOfDeleted } from "./of-deleted.sql.ts";

/** Runs that are cancelled at the same time. */
const AT_ONCE = 4;

/**
 * Cancels the open runs of a deleted workflow, each in a transaction of its own. No run can start any more. Doing it again
 * cancels what is left.
 * @param eventId the event `workflow.deleted`
 * @returns how many runs it cancelled
 */
export async function cancelRunsOfDeleted(
  ctx: Background,
  workspaceId: string,
  { eventId, stopping }: { eventId: string; stopping: AbortSignal },
): Promise<number> {
  let cancelled = 0;
  for (;;) {
    const ids = await openRunsOfDeleted(ctx.db, workspaceId, eventId, AT_ONCE);
    if (ids.length === 0) return cancelled;
    // The job is not done, so another worker continues it.
    stopping.throwIfAborted();
    const done = await Promise.all(ids.map((id) => write(ctx, workspaceId, (tx) => cancelRun(tx, workspaceId, id))));
    cancelled += done.filter(Boolean).length;
  }
}
