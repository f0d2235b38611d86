import type { Background } from "../../events/background.ts";
import { noteSkipped } from "./begin.sql.ts";
import { beginRuns, CHAINED } from "./begin.ts";
import { disableFor } from "./disable.ts";
import { executeRun } from "./execute.ts";
import { matchesOf } from "./matching.ts";
import { type ClaimedRun, runPutBack, runs } from "./runs.sql.ts";

/** What jobs of automations do. */

export type Working = {
  processId: string;
  stopping: Pick<AbortSignal, "aborted">;
  /** Milliseconds that never go back. */
  clock: () => number;
};

export type Worked = {
  runs: number;
  /** Runs that wait or were left for another job. */
  left: number;
  /** When the first of them is due, in milliseconds. */
  waitMs: number;
  /** Errors of events that could not be read. */
  errors: unknown[];
};

/**
 * How long one job works on runs. The rest goes to further jobs, so that the runs of one workspace do not keep the others
 * waiting.
 */
const TURN_MS = 200;
/** Runs that a job claims at a time. */
const BATCH = 10;

/** Starts the runs of automations that react to events, and works on them. Everything may run again. */
export async function reactTo(
  ctx: Background,
  workspaceId: string,
  eventIds: readonly string[],
  working: Working,
): Promise<Worked> {
  const { candidates, ignored, errors } = await matchesOf(ctx, workspaceId, eventIds);
  await noteSkipped(ctx, workspaceId, [...ignored], CHAINED);
  const begun = await beginRuns(ctx, workspaceId, candidates, working.processId);
  for (const automation_id of begun.looping)
    await disableFor(ctx, { workspace_id: workspaceId, automation_id }, "loop");
  const worked = await workOnRuns(ctx, begun.runs, working);
  const left = { left: worked.left + begun.waiting, waitMs: begun.waiting > 0 ? 0 : worked.waitMs };
  return { ...worked, ...left, errors };
}

/** Works on runs of a workspace that were left, or whose worker died. */
export async function continueRuns(ctx: Background, workspaceId: string, working: Working): Promise<Worked> {
  const claimed = await runs.claimDue(ctx.db, BATCH, working.processId, workspaceId);
  const worked = await workOnRuns(ctx, claimed, working);
  // There may be more than were claimed.
  return claimed.length === BATCH ? { ...worked, left: worked.left + 1, waitMs: 0 } : worked;
}

async function workOnRuns(ctx: Background, claimed: readonly ClaimedRun[], working: Working): Promise<Worked> {
  const end = working.clock() + TURN_MS;
  const goesOn = () => working.clock() < end && !working.stopping.aborted;
  const worked: Worked = { runs: 0, left: 0, waitMs: Number.POSITIVE_INFINITY, errors: [] };
  const leave = (waitMs: number) => {
    worked.left++;
    worked.waitMs = Math.min(worked.waitMs, waitMs);
  };
  for (const [at, run] of claimed.entries()) {
    if (!goesOn()) {
      await runPutBack(ctx.db, claimed.slice(at));
      leave(0);
      break;
    }
    const executed = await executeRun(ctx, run, goesOn);
    if (executed.state === "ended") worked.runs++;
    else if (executed.state !== "lost") leave(executed.state === "waiting" ? executed.waitMs : 0);
  }
  return worked;
}
