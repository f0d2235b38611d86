import { z } from "zod";
import { dueRuns, dueStages, runsOfEvents } from "../../domain/automation/workflow-runs/due.sql.ts";
import { workOnRun } from "../../domain/automation/workflow-runs/due.ts";
import { newId } from "../../domain/kernel/ids.ts";
import { ALWAYS, defineQueue, id, seconds } from "../../queues/queue.ts";
import { NotNow, serve } from "../worker.ts";

/**
 * Takes the actions of workflow runs, and ends stages whose time has come. A job without events is for one run: its time
 * comes, or an earlier job left it when its turn was over.
 */
export const advanceWorkflows = defineQueue("advance-workflows", {
  on: ["workflow_run.started", "workflow_run.stage_changed"],
  only: { "workflow_run.started": "e.context ? 'due'", "workflow_run.stage_changed": "e.context ? 'due'" },
  // `only` finds the events after which something is due.
  listeners: ALWAYS,
  eventsPerJob: 10,
  payload: z.object({ workspace_id: id, event_ids: z.array(id), run_id: id.optional() }),
  retry: seconds(0.5, 2, 5, 30),
  retryForever: true,
  concurrency: 8,
  rows: dueStages,
  lost: async (db) =>
    (await dueRuns(db)).map(({ workspace_id, run_id, due_at, wait_ms }) => ({
      id: `${run_id}-${Date.parse(due_at)}`,
      payload: { workspace_id, event_ids: [], run_id },
      delayMs: wait_ms,
    })),
});

/** Longer waits are left to the sweep, which adds their jobs in time. */
const MAX_WAIT_MS = 10_000;
/** How long a job works. Jobs of other workspaces come before the rest. */
const TURN_MS = 200;

/** Metrics show the number of actions and timers. */
export const worker = serve(advanceWorkflows, async (ctx, { workspace_id, event_ids, run_id }, job) => {
  const end = performance.now() + TURN_MS;
  const goesOn = () => performance.now() < end && !job.stopping.aborted;
  const runs = run_id === undefined ? await runsOfEvents(ctx.db, workspace_id, event_ids) : [run_id];
  for (const runId of runs) {
    const { steps, waitMs } = await workOnRun(ctx, { workspaceId: workspace_id, runId, goesOn });
    job.report({ steps });
    if (waitMs === null || waitMs > MAX_WAIT_MS) continue;
    const id = waitMs > 0 ? newId() : idOfRest(runId);
    if (id === job.id) throw new NotNow("the turn is over", 0);
    await job.add(advanceWorkflows, [{ id, payload: { workspace_id, event_ids: [], run_id: runId }, delayMs: waitMs }]);
  }
  return {};
});

/** The rest of a run is one job, however many events the run has. If it is not added, the sweep adds one. */
const idOfRest = (runId: string) => `rest-${runId}`;
