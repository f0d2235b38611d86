import { type Background, write } from "../../events/background.ts";
import { cancelRun } from "./cancel.ts";
import { openRunsOfDeleted } from "./of-deleted.sql.ts";

/** Runs that are cancelled at the same time. */
const AT_ONCE = 4;

/**
 * Cancels the open runs of a deleted workflow, each in a transaction of its own. No run can start any more. Doing it again
 * cancels what is left.
 * @param options.eventId the event `workflow.deleted`
 * @param options.goesOn whether to begin another step
 * @returns how many runs it cancelled, and whether some are left
 */
export async function cancelRunsOfDeleted(
  ctx: Background,
  workspaceId: string,
  { eventId, goesOn }: { eventId: string; goesOn: () => boolean },
): Promise<{ cancelled: number; left: boolean }> {
  let cancelled = 0;
  for (;;) {
    const ids = await openRunsOfDeleted(ctx.db, workspaceId, eventId, AT_ONCE);
    const left = ids.length > 0;
    if (!left || !goesOn()) return { cancelled, left };
    const done = await Promise.all(ids.map((id) => write(ctx, workspaceId, (tx) => cancelRun(tx, workspaceId, id))));
    cancelled += done.filter(Boolean).length;
  }
}
