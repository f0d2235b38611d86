import { type Background, write } from "../../events/background.ts";
import type { Plan } from "../../kernel/plans.ts";
import { countRun, runsThisMonth } from "../automations/month.sql.ts";
import { addToHour, countStarted, insertRuns, lockHour, noteSkipped, standingOf } from "./begin.sql.ts";
import type { Candidate } from "./candidate.ts";
import { type Asked, decide } from "./decide.ts";
import type { ClaimedRun } from "./runs.sql.ts";

export const CHAINED = "An automation made the change, and this automation does not react to those.";
const REPEATED = "It already ran for this issue in the same chain of changes.";

export type Begun = {
  /** Runs to work on, in their order. */
  runs: ClaimedRun[];
  /** Automations to disable because they caused loops. */
  looping: string[];
};

/**
 * Starts the runs of automations that matched, within their limits. A candidate that has a run already gets no other.
 * @param processId the worker process that works on the runs at once. Null: they wait for a job.
 */
export async function beginRuns(
  ctx: Background,
  workspaceId: string,
  candidates: readonly Candidate[],
  processId: string | null,
): Promise<Begun> {
  if (candidates.length === 0) return { runs: [], looping: [] };
  return write(ctx, workspaceId, async (tx) => {
    const runsInHour = await lockHour(tx, workspaceId);
    const standing = await standingOf(tx, workspaceId, candidates);
    const asked = candidates.flatMap((candidate, place): Asked[] => {
      const found = standing.get(place);
      return found ? [{ candidate, standing: found }] : [];
    });
    if (asked.length === 0) return { runs: [], looping: [] };
    const runsPerMonth = ctx.settings.plans(asked[0]!.standing.plan as Plan, "automation_runs_per_month");
    const runsInMonth = await runsThisMonth(tx.db, workspaceId, tx.now);
    const decided = decide(asked, { now: tx.now, runsInHour, runsInMonth, runsPerMonth });
    const runs = await insertRuns(tx, workspaceId, decided.runs, processId);
    await countStarted(tx, [...decided.tallies.values()]);
    await noteSkipped(tx, workspaceId, [...decided.repeated], REPEATED);
    if (decided.started > 0) {
      await addToHour(tx.db, workspaceId, decided.started);
      await countRun(tx.db, workspaceId, tx.now, decided.started);
    }
    return { runs, looping: [...decided.looping] };
  });
}
