import type { Background } from "../../events/background.ts";
import type { Lease } from "../../kernel/leases.sql.ts";
import { type Host, workInTurns } from "../../kernel/leases.ts";
import { queuePiece, type Replay, replayEnded, replays, replayWaits, replayYields } from "./replay.sql.ts";
import { unservedOf } from "./sweep.sql.ts";

const AT_ONCE = 2;
/** Other replays get their turn after that. */
const TURN_MS = 200;

/** What queueing needs of the process that it runs in. */
export type ReplayHost = Host & {
  /** Adds a job that delivers to a webhook. */
  deliver(hook: { workspace_id: string; webhook_id: string }): Promise<void>;
};

/**
 * Queues messages of the replays that are due, each up to the number that may wait. A piece and how far the replay has
 * come are stored in one statement, so a process that dies repeats and loses nothing. Returns how many messages it queued.
 */
export async function queueReplays(ctx: Background, host: ReplayHost): Promise<number> {
  const claim = (limit: number) => replays.claimDue(ctx.db, limit, host.processId);
  let queued = 0;
  const onError = ({ id }: Replay, error: unknown) =>
    ctx.log.warn({ err: error, replay_id: id }, "the messages of a replay could not be queued yet");
  await workInTurns(claim, { atOnce: AT_ONCE, stopping: host.stopping, onError }, async (replay) => {
    queued += await oneTurn(ctx, replay, host);
  });
  return queued;
}

async function oneTurn(ctx: Background, replay: Replay & Lease, host: ReplayHost): Promise<number> {
  const began = host.clock();
  for (let queued = 0; ; ) {
    const piece = await queuePiece(ctx.db, replay);
    if (!piece) return queued;
    const { closed, added, free, is_last } = piece;
    if (added > 0) {
      queued += added;
      const unserved = await unservedOf(ctx.db, [replay.webhook_id]);
      if (unserved.length > 0) await host.deliver(replay);
    }
    const isOver = closed || (free > 0 && is_last);
    const isTurnOver = host.stopping.aborted || host.clock() - began > TURN_MS;
    if (!isOver && free > 0 && !isTurnOver) continue;
    await (isOver ? replayEnded : free > 0 ? replayYields : replayWaits)(ctx.db, [replay]);
    return queued;
  }
}
