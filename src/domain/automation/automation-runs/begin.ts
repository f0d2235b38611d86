import { type Background, write } from "../../events/background.ts";
import { lockHour, noteSkipped, standingOf, storeRuns } from "./begin.sql.ts";
import type { Candidate } from "./candidate.ts";
import { type Asked, decide } from "./decide.ts";
import type { ClaimedRun } from "./runs.sql.ts";

export const CHAINED =
  "An automation made the change, and this automation does not react to those. Set allow_chaining if it should.";
const REPEATED = "It already ran for this issue in the same chain of changes.";

export type Begun = {
  /** Runs to work on, in their order. */
  runs: ClaimedRun[];
  /** Runs that wait for another job. */
  waiting: number;
  /** Automations to disable because they caused loops. */
  looping: string[];
};

/** Characters of the actions and values of runs that are stored together, and the number of these runs. */
const PORTION = 1_000_000;
const MOST = 100;

/**
 * Starts the runs of automations that matched, within their limits. A candidate that has a run already gets no other.
 * @param processId the worker process that works on the first runs at once. The others, and with null all of them, wait
 *   for a job, because hundreds of automations may have megabytes of actions.
 */
export async function beginRuns(
  ctx: Background,
  workspaceId: string,
  candidates: readonly Candidate[],
  processId: string | null,
): Promise<Begun> {
  const begun: Begun = { runs: [], waiting: 0, looping: [] };
  for (const [n, portion] of portionsOf(candidates).entries()) {
    const claims = n === 0 && processId !== null;
    const { runs, looping } = await beginSome(ctx, workspaceId, portion, claims ? processId : null);
    if (claims) begun.runs = runs;
    else begun.waiting += runs.length;
    begun.looping.push(...looping.filter((id) => !begun.looping.includes(id)));
  }
  return begun;
}

function portionsOf(candidates: readonly Candidate[]): Candidate[][] {
  const portions: Candidate[][] = [];
  let room = 0;
  for (const candidate of candidates) {
    const last = portions.at(-1);
    room -= candidate.weight;
    if (last && room >= 0 && last.length < MOST) last.push(candidate);
    else {
      portions.push([candidate]);
      room = PORTION - candidate.weight;
    }
  }
  return portions;
}

async function beginSome(
  ctx: Background,
  workspaceId: string,
  candidates: readonly Candidate[],
  processId: string | null,
): Promise<Pick<Begun, "runs" | "looping">> {
  return write(ctx, workspaceId, async (tx) => {
    const runsInHour = await lockHour(tx, workspaceId);
    const standing = await standingOf(tx, workspaceId, candidates);
    const asked = candidates.flatMap((candidate, place): Asked[] => {
      const found = standing.get(place);
      return found ? [{ candidate, standing: found }] : [];
    });
    if (asked.length === 0) return { runs: [], looping: [] };
    const { plan, runs_in_month: runsInMonth } = asked[0]!.standing;
    const runsPerMonth = ctx.settings.plans(plan, "automation_runs_per_month");
    const decided = decide(asked, { now: tx.now, runsInHour, runsInMonth, runsPerMonth });
    const tallies = [...decided.tallies.values()];
    if (tallies.length === 0) return { runs: [], looping: [] };
    const runs = await storeRuns(tx, workspaceId, { ...decided, tallies }, processId);
    await noteSkipped(tx, workspaceId, [...decided.repeated], REPEATED);
    return { runs, looping: [...decided.looping] };
  });
}
