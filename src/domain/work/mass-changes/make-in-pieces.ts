import { type Background, write } from "../../events/background.ts";
import { extended, type InProject, type Writing } from "../../kernel/context.ts";
import { type PiecesHost, partsOf, workInPieces } from "../../kernel/in-pieces.ts";
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

/** Makes the mass changes of a workspace, for a turn. Returns the number of issues, and whether some are left. */
export function makeInPieces(ctx: Background, workspaceId: string, host: PiecesHost) {
  return workInPieces<Claimed & Lease, string>(
    {
      claim: async () => (await massChanges.claimDue(ctx.database, 1, host.processId, workspaceId))[0],
      left: ({ id, kind }) => issuesToCome(ctx.database, { id, kind, workspaceId }, PAGE),
      split: (ids) => partsOf(ids, PIECE),
      change: async (change, piece) => {
        await onePiece(ctx, change, piece);
        change.done = Math.min(change.done + piece.length, change.total);
        // Another worker has taken over, because this process seemed to be dead.
        if (!(await setDone(ctx.database, change, change.done))) return null;
        showProgress(change, host);
        return piece.length;
      },
      ended: async (change) => {
        await massChangeEnded(ctx.database, [change]);
        showProgress({ ...change, done: change.total }, host);
      },
      yields: (change) => massChangeYields(ctx.database, [change]),
    },
    host,
  );
}

const showProgress = ({ kind, done, total }: Claimed, { progress }: PiecesHost): void =>
  progress({ change: kind, done, total });

/** Whoever locks an issue makes what is to come for it. */
async function onePiece(ctx: Background, { kind, workspace_id, project_id }: Claimed, ids: string[]): Promise<void> {
  await write({ ...ctx, now: ctx.ports.clock() }, workspace_id, async (tx) => {
    const place = extended(tx, { workspace: { id: workspace_id }, project: { id: project_id } });
    await kindOf(kind).lockBoards?.(place as unknown as InProject & Writing);
    await lockIssues(place, ids);
  });
}
