import { type Background, write } from "../../events/background.ts";
import type { Writing } from "../../kernel/context.ts";
import type { Ending } from "../workflows/machine.ts";
import { advanceRun } from "./advance-run.ts";
import { cancelRun } from "./cancel.ts";
import { stepOf } from "./complete.ts";
import { followSession } from "./follow-session.ts";
import { openRun } from "./open-run.ts";
import type { StageRow } from "./rows.ts";
import { writeStages } from "./runs.sql.ts";
import { type Concerned, concernedBy } from "./tell.sql.ts";
import { dueOf, endingAt } from "./timers.ts";

/**
 * Tells runs of events: those that wait for them go on, and those whose issue or
 * project was archived are cancelled. Each run has a
 * transaction of its own. Returns how many runs were told.
 */
export async function tellRuns(base: Background, workspaceId: string, eventIds: readonly string[]): Promise<number> {
  const concerned = await concernedBy(base.db, workspaceId, eventIds);
  for (const one of concerned) {
    const ctx = { ...base, now: base.ports.clock() };
    await write(ctx, workspaceId, (tx) => tell(tx, workspaceId, one));
  }
  return concerned.length;
}

async function tell(tx: Writing, workspaceId: string, event: Concerned): Promise<void> {
  const { run_id, type, archived, is_own, node_ids, session, created_at: at } = event;
  // A run whose own action archives the issue goes on to its end.
  if (archived && !is_own) await cancelRun(tx, workspaceId, run_id);
  if (session) await followSession(tx, { workspaceId, runId: run_id, session, at });
  if (node_ids.length > 0) await endWaits(tx, workspaceId, { runId: run_id, nodeIds: node_ids, type });
}

type Awaited = { runId: string; nodeIds: readonly string[]; type: string };

/** Ends stages that waited for an event. A stage that waits for a time in the issue gets the new time. */
export async function endWaits(tx: Writing, workspaceId: string, { runId, nodeIds, type }: Awaited): Promise<void> {
  const open = await openRun(tx, workspaceId, runId);
  if (open?.run.status !== "running") return;
  const endings = new Map<string, Ending>();
  const later: StageRow[] = [];
  for (const id of nodeIds) {
    const node = open.flow.graph.nodes.get(id)!;
    const stage = open.stages.get(id)!;
    if (stage.state !== "active" || stage.awaits !== type) continue;
    if (node.config.event) endings.set(id, "success");
    else {
      const ending = endingAt(node, stage.activated_at!, open, tx.now);
      const due_at = dueOf(node, stage.activated_at!, open);
      if (ending) endings.set(id, ending);
      else if (due_at !== stage.due_at) later.push({ ...stage, due_at });
    }
  }
  await writeStages(tx, later);
  const stages = new Map([...open.stages, ...later.map((stage) => [stage.node_id, stage] as const)]);
  const current = { ...open, stages };
  if (endings.size > 0) await advanceRun(current, stepOf(current, endings));
}
