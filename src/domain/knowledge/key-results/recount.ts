import { type Background, write } from "../../events/background.ts";
import { recordChange } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import { isSame } from "../../kernel/difference.ts";
import type { Lease } from "../../kernel/leases.sql.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { recordGoals, rollUp } from "../goals/roll-up.ts";
import {
  addUpCounts,
  automaticIn,
  automaticOf,
  type Count,
  countForKeyResults,
  countInProject,
  projectsInScope,
  storeCounts,
  storeProjectCounts,
} from "./count.sql.ts";
import { keyResultUpdated } from "./events.ts";
import { computeProgress, readKeyResults } from "./key-results.sql.ts";
import { counted, isClaimed, putOff, type Recount, requestRecounts, SHORTEST_DELAY_MS } from "./recount.sql.ts";
import type { KeyResultView } from "./view.ts";

/**
 * Automatic key results count issues. Counts are stored by project: when issues of a project change, a worker counts that
 * project again, and the key results add up what they have.
 */

type InTree = Writing & { workspace: { id: string } };

/** A call counts at most this many issues. Beyond it, a worker counts. */
const MAX_COUNTED_IN_CALL = 50_000;

/**
 * Counts issues for automatic key results that are new or have another scope. If there are many issues, a worker counts
 * them, and until then the key results show no counts. The caller has locked the workspace.
 */
export async function countAnew(ctx: InTree, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const projects = await projectsInScope(ctx, ids);
  const issues = projects.reduce((sum, project) => sum + project.issues, 0);
  await storeCounts(ctx, ids, issues <= MAX_COUNTED_IN_CALL ? await countForKeyResults(ctx, ids) : null);
  await addUpCounts(ctx, ids);
  // Also if they were counted here: an issue that changes at this moment may be in no count.
  await requestRecounts(
    ctx,
    projects.map(({ project_id }) => project_id),
  );
}

/** Counts for the key results of goals that now belong to another portfolio. The caller computes the goals' progress. */
export async function countForGoals(ctx: InTree, goalIds: readonly string[]): Promise<void> {
  const ids = await automaticOf(ctx, goalIds);
  const before = await readKeyResults(ctx, ids);
  await countAnew(ctx, ids);
  await recordCounts(ctx, before);
}

/** Counts a claimed project again, and brings key results and goals up to date. Returns how many key results changed. */
export async function recount(base: Background, claim: Recount & Lease): Promise<number> {
  const { project_id, workspace_id, requests } = claim;
  const inTree = { ...base, workspace: { id: workspace_id } };
  try {
    // Counted before the workspace is locked, because it may take long. Nobody else counts the project meanwhile.
    const started = base.ports.clock();
    const counts = await countAll(base, inTree.workspace, project_id);
    return await write(inTree, workspace_id, async (ctx) => {
      await lockWorkspace(ctx, workspace_id);
      if (!(await isClaimed(ctx.db, claim))) return 0;
      const changed = await storeProjectCounts(ctx, project_id, counts);
      const before = await readKeyResults(ctx, changed);
      await addUpCounts(ctx, changed);
      const recounted = await recordCounts(ctx, before);
      await recordGoals(ctx, await rollUp(ctx, [...new Set(recounted.map(({ goal_id }) => goal_id))]));
      const tookMs = Date.parse(base.ports.clock()) - Date.parse(started);
      await counted(ctx.db, [claim], requests, delayAfter(tookMs));
      return recounted.length;
    });
  } catch (error) {
    await putOff(base.database, [claim]).catch(() => {});
    throw error;
  }
}

/** What one statement compares at most: issues with filters. It takes about a second. */
const MAX_COMPARED = 2_000_000;

/** Counts the issues of a project for all key results whose scope includes it, some of them at a time. */
async function countAll({ db }: Background, workspace: { id: string }, projectId: string): Promise<Count[]> {
  const inTree = { db, workspace };
  const { ids, issues } = await automaticIn(inTree, projectId);
  const atOnce = Math.max(1, Math.floor(MAX_COMPARED / Math.max(1, issues)));
  const counts: Count[] = [];
  for (let at = 0; at < ids.length; at += atOnce) {
    for (const count of await countInProject(inTree, projectId, ids.slice(at, at + atOnce))) counts.push(count);
  }
  return counts;
}

/** A project that takes long to count is counted for at most a tenth of the time, so that others get their turn. */
const delayAfter = (tookMs: number): number => Math.min(300_000, Math.max(SHORTEST_DELAY_MS, tookMs * 10));

/** Computes the progress of key results after their counts changed, and records it. Returns those that changed. */
async function recordCounts(ctx: InTree, before: readonly KeyResultView[]): Promise<KeyResultView[]> {
  if (before.length === 0) return [];
  const ids = before.map(({ id }) => id);
  await computeProgress(ctx, ids);
  const after = new Map((await readKeyResults(ctx, ids)).map((view) => [view.id, view]));
  return before.flatMap((old) => {
    const view = after.get(old.id);
    if (!view || isSame(old, view)) return [];
    recordChange(ctx, keyResultUpdated, old, view);
    return [view];
  });
}
