import { type Background, write } from "../../events/background.ts";
import { extended } from "../../kernel/context.ts";
import type { Lease } from "../../kernel/leases.sql.ts";
import { type Host, workInTurns } from "../../kernel/leases.ts";
import { lockBoards } from "../../kernel/locks.sql.ts";
import { countFamilyChange } from "./change.sql.ts";
import {
  childrenBehind,
  type EpicChange,
  epicChangeEnded,
  epicChanges,
  epicChangeYields,
  leaveToWorker,
  placeOf,
} from "./epics.sql.ts";
import { giveEpic } from "./epics.ts";
import { epicPassedOn } from "./hierarchy.ts";
import { readIssues } from "./of-projects.sql.ts";

const AT_ONCE = 2;
/** Issues of one transaction. The board is locked meanwhile, so that others wait for a part of a second. */
const PIECE = 20;
/** Other changes get their turn after that. */
const TURN_MS = 200;

/**
 * Passes on the epics of issues that so many others follow that a call could not change them all. Children that change
 * and have children themselves are left for another turn. A piece is one transaction that finds what is still left, so a
 * process that dies repeats and loses nothing. Returns how many issues changed.
 */
export async function passOnEpics(ctx: Background, host: Host): Promise<number> {
  const claim = (limit: number) => epicChanges.claimDue(ctx.db, limit, host.processId);
  let changed = 0;
  const onError = ({ issue_id }: EpicChange, error: unknown) =>
    ctx.log.warn({ err: error, issue_id }, "an epic could not be passed on yet");
  await workInTurns(claim, { atOnce: AT_ONCE, stopping: host.stopping, onError }, async (change) => {
    const began = host.clock();
    for (;;) {
      const piece = await onePiece(ctx, change);
      changed += piece;
      if (piece === 0) return epicChangeEnded(ctx.db, [change]);
      if (host.stopping.aborted || host.clock() - began > TURN_MS) return epicChangeYields(ctx.db, [change]);
    }
  });
  return changed;
}

/** Changes the next children of an issue. The board is locked first, so what is read afterwards does not change. */
function onePiece(base: Background, { issue_id, workspace_id, actor, cause }: EpicChange & Lease): Promise<number> {
  return write({ ...base, actor, cause }, workspace_id, async (tx) => {
    const { project, workspace } = await placeOf(tx.db, workspace_id, issue_id);
    const ctx = extended(tx, { project, workspace });
    await lockBoards(ctx, [project.id]);
    const [top] = await readIssues(ctx, [issue_id]);
    const epic = epicPassedOn(top!);
    const ids = await childrenBehind(ctx, issue_id, epic.epic_id, PIECE);
    // New issues whose parent was read before this one had its epic are checked again.
    if (ids.length === 0) await countFamilyChange(ctx);
    const changed = await giveEpic(ctx, ids, epic);
    await leaveToWorker(
      ctx,
      changed.map(({ id }) => id),
    );
    return changed.length;
  });
}
