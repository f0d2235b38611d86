import { type Background, write } from "../../events/background.ts";
import type { Writing } from "../../kernel/context.ts";
import type { Ending } from "../workflows/machine.ts";
import { advanceRun } from "./advance-run.ts";
import { stepOf } from "./complete.ts";
import { type NextStage, nextStage } from "./due.sql.ts";
import { flowAt } from "./flow.sql.ts";
import { openRun } from "./open-run.ts";
import type { StageRow } from "./rows.ts";
import { writeStages } from "./runs.sql.ts";
import { takeAction } from "./take-action.ts";
import { dueOf, endingAt } from "./timers.ts";

export type Worked = {
  /** Actions and timers. */
  steps: number;
  /** Milliseconds until something is due again. Null if nothing has a time. */
  waitMs: number | null;
};

/**
 * Does the due work of a run: ends stages whose time has come, and takes actions. It takes one step, and more until nothing
 * is due or `goesOn` returns false. Several workers may do this at once.
 */
export async function workOnRun(
  base: Background,
  { workspaceId, runId, goesOn }: { workspaceId: string; runId: string; goesOn: () => boolean },
): Promise<Worked> {
  for (let steps = 0; ; steps++) {
    const next = await nextStage(base.db, workspaceId, runId);
    if (!next || next.wait_ms > 0 || (steps > 0 && !goesOn())) return { steps, waitMs: next?.wait_ms ?? null };
    const ctx = { ...base, now: base.ports.clock() };
    const flow = await flowAt(base.db, next);
    const node = flow.graph.nodes.get(next.node_id)!;
    if (node.kind === "action") await takeAction(ctx, flow, node, next);
    else await endTimers(ctx, next);
  }
}

const endTimers = (base: Background, { workspace_id, id, due_at }: NextStage): Promise<void> =>
  write(base, workspace_id, (ctx) => endDue(ctx, workspace_id, id, due_at));

/**
 * Ends the stages of a run whose time has come.
 * @param at the time that has come by the database's clock. This process's clock may be behind.
 */
export async function endDue(ctx: Writing, workspaceId: string, runId: string, at: string): Promise<void> {
  const open = await openRun(ctx, workspaceId, runId);
  if (open?.run.status !== "running") return;
  const now = ctx.now > at ? ctx.now : at;
  const endings = new Map<string, Ending>();
  const later: StageRow[] = [];
  for (const node of open.flow.graph.order) {
    const stage = open.stages.get(node.id)!;
    if (stage.state !== "active" || node.kind === "action") continue;
    const ending = endingAt(node, stage.activated_at!, open, now);
    const due_at = dueOf(node, stage.activated_at!, open);
    if (ending) endings.set(node.id, ending);
    else if (due_at !== stage.due_at) later.push({ ...stage, due_at });
  }
  // The time that a stage waits for may have been moved.
  await writeStages(ctx, later);
  const stages = new Map([...open.stages, ...later.map((stage) => [stage.node_id, stage] as const)]);
  const current = { ...open, stages, isContinued: true };
  if (endings.size > 0) await advanceRun(current, stepOf(current, endings));
}
