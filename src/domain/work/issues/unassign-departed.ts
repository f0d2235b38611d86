import { type Background, write } from "../../events/background.ts";
import { extended } from "../../kernel/context.ts";
import type { Lease } from "../../kernel/leases.sql.ts";
import { lockBoards } from "../../kernel/locks.sql.ts";
import {
  type Departure,
  departureEnded,
  departures,
  departureYields,
  lockDeparture,
} from "../../tenancy/workspaces/departures.sql.ts";
import { openIssuesOf, type Place } from "./unassign.sql.ts";
import { unassign } from "./unassign.ts";

/** Issues of a transaction. Its board is locked meanwhile, so that others wait for no longer than such a piece takes. */
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
  progress(state: { user_id: string; unassigned: number }): void;
};

/**
 * Unassigns the people who have left a workspace, for some seconds. A piece commits with its events, and an issue that
 * has been changed is found no more. So a process that dies repeats and loses nothing.
 * @returns the number of issues, and whether something is left to do
 */
export async function unassignDeparted(ctx: Background, workspaceId: string, host: Host) {
  const end = host.clock() + TURN_MS;
  for (let issues = 0; ; ) {
    const [departure] = await departures.claimDue(ctx.database, 1, host.processId, workspaceId);
    if (!departure) return { issues, left: false };
    const made = await unassignOne(ctx, departure, () => host.stopping.aborted || host.clock() > end, host);
    issues += made.issues;
    if (!made.ended) return { issues, left: true };
  }
}

async function unassignOne(ctx: Background, departure: Departure & Lease, isOver: () => boolean, { progress }: Host) {
  const { workspace_id, user_id } = departure;
  let issues = 0;
  for (let first: string | undefined; ; ) {
    const found = await openIssuesOf(ctx.database, workspace_id, user_id, PAGE);
    if (found.length === 0) {
      await departureEnded(ctx.database, [departure]);
      return { issues, ended: true };
    }
    if (found[0]!.id === first) throw new Error(`Nobody could be unassigned from ${first}.`);
    first = found[0]!.id;
    for (const piece of piecesOf(found)) {
      if (isOver()) {
        await departureYields(ctx.database, [departure]);
        return { issues, ended: false };
      }
      const unassigned = await onePiece(ctx, departure, piece);
      if (unassigned === null) return { issues, ended: true };
      issues += unassigned;
      progress({ user_id, unassigned: issues });
    }
  }
}

/** Unassigns from issues of one board. Returns how many; null if the departure is no longer this worker's. */
function onePiece(base: Background, departure: Departure & Lease, piece: Place[]): Promise<number | null> {
  const { author, workspace, workspace_id } = departure;
  return write({ ...base, ...author, now: base.ports.clock() }, workspace_id, async (tx) => {
    if (!(await lockDeparture(tx, departure))) return null;
    const ctx = extended(tx, { workspace });
    await lockBoards(ctx, [piece[0]!.project_id]);
    return unassign(
      ctx,
      departure,
      piece.map(({ id }) => id),
    );
  });
}

/** Splits issues, which come by project, so that all issues of a piece are of one project. */
function* piecesOf(issues: Place[]): Generator<Place[]> {
  for (let from = 0; from < issues.length; ) {
    const { project_id } = issues[from]!;
    const next = issues.slice(from, from + PIECE);
    const end = next.findIndex((issue) => issue.project_id !== project_id);
    const piece = end === -1 ? next : next.slice(0, end);
    yield piece;
    from += piece.length;
  }
}
