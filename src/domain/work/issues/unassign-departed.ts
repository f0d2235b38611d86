import { type Background, write } from "../../events/background.ts";
import { extended } from "../../kernel/context.ts";
import { type PiecesHost, partsOf, workInPieces } from "../../kernel/in-pieces.ts";
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

/** Unassigns the people who have left a workspace, for a turn. Returns the number of issues, and whether some are left. */
export function unassignDeparted(ctx: Background, workspaceId: string, host: PiecesHost) {
  return workInPieces<Departure & Lease & { unassigned?: number }, Place>(
    {
      claim: async () => (await departures.claimDue(ctx.database, 1, host.processId, workspaceId))[0],
      left: ({ user_id }) => openIssuesOf(ctx.database, workspaceId, user_id, PAGE),
      split: ofOneBoard,
      change: async (departure, piece) => {
        const issues = await onePiece(ctx, departure, piece);
        departure.unassigned = (departure.unassigned ?? 0) + (issues ?? 0);
        host.progress({ user_id: departure.user_id, unassigned: departure.unassigned });
        return issues;
      },
      ended: (departure) => departureEnded(ctx.database, [departure]),
      yields: (departure) => departureYields(ctx.database, [departure]),
    },
    host,
  );
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

/** Splits issues so that all of a piece are of one project. */
function* ofOneBoard(issues: Place[]): Generator<Place[]> {
  for (const board of Map.groupBy(issues, ({ project_id }) => project_id).values()) yield* partsOf(board, PIECE);
}
