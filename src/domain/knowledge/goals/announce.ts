import { type Background, write } from "../../events/background.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { dueGoalsOf, workspacesWithDueGoals } from "./announce.sql.ts";
import { type Before, recordGoals } from "./roll-up.ts";

const WORKSPACES = 1_000;
/** Goals of one transaction. */
const BATCH = 100;

/**
 * Records the changes of status that only time has caused. Workspaces take turns, so that one with thousands of goals
 * does not delay the others.
 * @returns the number of goals that were due
 */
export async function announceDue(base: Background, stopping: AbortSignal): Promise<number> {
  let total = 0;
  for (let waiting = await workspacesWithDueGoals(base.database, WORKSPACES); waiting.length > 0; ) {
    const unfinished: string[] = [];
    for (const id of waiting) {
      if (stopping.aborted) return total;
      const done = await announceIn(base, id).catch((error) => {
        base.log.warn({ err: error, workspace_id: id }, "the status of goals could not be computed yet");
        return 0;
      });
      total += done;
      if (done === BATCH) unfinished.push(id);
    }
    waiting = unfinished;
  }
  return total;
}

const announceIn = (base: Background, workspaceId: string): Promise<number> =>
  write({ ...base, workspace: { id: workspaceId } }, workspaceId, async (ctx) => {
    await lockWorkspace(ctx, workspaceId);
    const due = await dueGoalsOf(ctx.db, workspaceId, BATCH);
    await recordGoals(ctx, new Map(due.map((id): [string, Before] => [id, {}])));
    return due.length;
  });
