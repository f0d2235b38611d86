import { writeRecorded } from "../../events/events.sql.ts";
import { record, recordChange } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import { differenceOf } from "../../kernel/difference.ts";
import { goalCreated, goalStatusChanged, goalUpdated } from "./events.ts";
import { readGoals } from "./goals.sql.ts";
import { goalsWithAncestors, rollUpGoals, storeStandings } from "./roll-up.sql.ts";
import { standingOf } from "./status.ts";
import { type GoalView, goalView } from "./view.ts";

type InTree = Writing & { workspace: { id: string } };

/** What a goal showed before a change: those fields that may have changed. */
export type Before = Partial<GoalView>;

/**
 * Computes the progress of goals and of all goals above them, level by level from the bottom. It stops where nothing
 * changes. The caller has locked the workspace, so that every sum includes all other changes of the tree.
 * @returns the goals whose progress changed, with the percentage that they showed before
 */
export async function rollUp(ctx: InTree, goalIds: readonly (string | null)[]): Promise<Map<string, Before>> {
  const changed = new Map<string, Before>();
  const ids = [...new Set(goalIds.filter((id) => id !== null))];
  if (ids.length === 0) return changed;
  const parents = new Map((await goalsWithAncestors(ctx, ids)).map((goal) => [goal.id, goal.parent_goal_id]));
  const levels = byLevel(ids, parents);
  for (let level = levels.length - 1; level >= 0; level--) {
    const dirty = levels[level];
    if (!dirty?.size) continue;
    for (const { id, parent_goal_id, old_pct } of await rollUpGoals(ctx, [...dirty])) {
      changed.set(id, { progress_pct: old_pct });
      if (parent_goal_id !== null) levels[level - 1]?.add(parent_goal_id);
    }
  }
  return changed;
}

/** The goals by their distance from the top. */
function byLevel(ids: readonly string[], parents: ReadonlyMap<string, string | null>): Set<string>[] {
  const levels: Set<string>[] = [];
  for (const id of ids) {
    if (!parents.has(id)) continue;
    let level = 0;
    for (let at = parents.get(id) ?? null; at !== null; at = parents.get(at) ?? null) level++;
    for (let at = levels.length; at <= level; at++) levels.push(new Set());
    levels[level]!.add(id);
  }
  return levels;
}

/** Number of goals that are read and recorded at a time. One may contain 80 kB of text. */
const BATCH = 100;

/**
 * Records the changes of goals: `goal.updated` if a field changed, and `goal.status_changed` if the status differs from
 * the one that was announced last.
 * @param before what each goal showed before; `null` for a new goal
 * @returns the first of them as it is now; null if it does not exist
 */
export async function recordGoals(ctx: InTree, before: ReadonlyMap<string, Before | null>): Promise<GoalView | null> {
  let first: GoalView | null = null;
  const ids = [...before.keys()];
  for (let at = 0; at < ids.length; at += BATCH) {
    // Each batch is stored at once, so that memory never contains more than one.
    if (at > 0) await writeRecorded(ctx, ctx.recorded.splice(0));
    const now = await recordBatch(ctx, ids.slice(at, at + BATCH), before);
    if (at === 0) first = now.get(ids[0]!) ?? null;
  }
  return first;
}

async function recordBatch(
  ctx: InTree,
  ids: readonly string[],
  before: ReadonlyMap<string, Before | null>,
): Promise<Map<string, GoalView>> {
  const now = new Map<string, GoalView>();
  const rows = new Map((await readGoals(ctx, ids)).map((row) => [row.id, row]));
  const live = ids.flatMap((id) => rows.get(id) ?? []);
  await storeStandings(
    ctx,
    live.map((row) => ({ ...standingOf(row, ctx.now), id: row.id })),
  );
  for (const row of live) {
    const view = goalView(ctx, row);
    now.set(row.id, view);
    const old = before.get(row.id);
    if (!old) {
      record(ctx, goalCreated, view);
      continue;
    }
    const status = { status: row.status };
    if (differenceOf(old, view, goalUpdated.derived).changed.length > 0) {
      recordChange<typeof goalUpdated, keyof Before>(ctx, goalUpdated, { ...(old as GoalView), ...status }, view);
    }
    if (row.status !== view.status) recordChange(ctx, goalStatusChanged, status, view);
  }
  return now;
}
