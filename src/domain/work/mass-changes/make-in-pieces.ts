import { type Background, write } from "../../events/background.ts";
import { extended, type InProject, type Writing } from "../../kernel/context.ts";
import type { Lease } from "../../kernel/leases.sql.ts";
import { kindOf } from "./kinds.ts";
import {
  type Claimed,
  issuesToCome,
  massChangeEnded,
  massChanges,
  massChangeYields,
  setDone,
} from "./mass-changes.sql.ts";
import { lockIssues } from "./settle.ts";

/** Issues of a transaction. Another writer of one of them waits for no longer than such a piece takes. */
const PIECE = 50;
/** Issues whose ids are read at a time. */
const PAGE = 10_000;
/** Other workspaces get their turn after that. */
const TURN_MS = 5_000;

/** What the work needs of the process that it runs in. */
export type Host = {
  processId: string;
  stopping: Pick<AbortSignal, "aborted">;
  /** Milliseconds on a clock that never goes back. */
  clock(): number;
  /** Told after each piece. */
  progress(state: { change: string; done: number; total: number }): void;
};

/**
 * Makes the mass changes of a workspace, for some seconds. A piece commits with its events, and an issue that has been
 * changed is found no more. So a process that dies repeats and loses nothing.
 * @returns the number of issues, and whether something is left to do
 */
export async function makeInPieces(ctx: Background, workspaceId: string, host: Host) {
  const end = host.clock() + TURN_MS;
  for (let issues = 0; ; ) {
    const [change] = await massChanges.claimDue(ctx.database, 1, host.processId, workspaceId);
    if (!change) return { issues, left: false };
    const made = await makeOne(ctx, change, () => host.stopping.aborted || host.clock() > end, host);
    issues += made.issues;
    if (!made.ended) return { issues, left: true };
  }
}

async function makeOne(ctx: Background, change: Claimed & Lease, isOver: () => boolean, { progress }: Host) {
  const { id, kind, workspace_id: workspaceId, total } = change;
  let { done } = change;
  const begin = done;
  for (let first: string | undefined; ; ) {
    const ids = await issuesToCome(ctx.database, { id, kind, workspaceId }, PAGE);
    if (ids.length > 0 && ids[0] === first) throw new Error(`A mass change (${kind}) is still to come for ${first}.`);
    first = ids[0];
    if (ids.length === 0) {
      await massChangeEnded(ctx.database, [change]);
      progress({ change: kind, done: total, total });
      return { issues: done - begin, ended: true };
    }
    for (let from = 0; from < ids.length; from += PIECE) {
      if (isOver()) {
        await massChangeYields(ctx.database, [change]);
        return { issues: done - begin, ended: false };
      }
      const piece = ids.slice(from, from + PIECE);
      await write({ ...ctx, now: ctx.ports.clock() }, workspaceId, async (tx) => {
        const place = extended(tx, { workspace: { id: workspaceId }, project: { id: change.project_id } });
        await kindOf(kind).lockBoards?.(place as unknown as InProject & Writing);
        await lockIssues(place, piece);
      });
      done = Math.min(done + piece.length, total);
      // Another worker has taken over, because this process seemed to be dead.
      if (!(await setDone(ctx.database, change, done))) return { issues: done - begin, ended: false };
      progress({ change: kind, done, total });
    }
  }
}
