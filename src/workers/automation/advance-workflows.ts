import { z } from "zod";
import { dueRuns, dueStages, runsOfEvents } from "../../domain/automation/workflow-runs/due.sql.ts";
import { workOnRun } from "../../domain/automation/workflow-runs/due.ts";
import { newId } from "../../domain/kernel/ids.ts";
import { ALWAYS, defineQueue, id, seconds } from "../../queues/queue.ts";
import { type JobInfo, serve } from "../worker.ts";

/**
 * Takes the actions of workflow runs, and ends stages whose time has come. A job without events is for one run whose time
 * comes.
 */
export const advanceWorkflows = defineQueue("advance-workflows", {
  on: ["workflow_run.started", "workflow_run.stage_changed"],
  only: { "workflow_run.started": "e.context ? 'due'", "workflow_run.stage_changed": "e.context ? 'due'" },
  // `only` finds the events after which something is due.
  listeners: ALWAYS,
  eventsPerJob: 10,
  // The fewer events wait in a workspace, the sooner its job runs.
  priority: ({ event_ids }) => Math.max(0, event_ids.length - 1),
  payload: z.object({ workspace_id: id, event_ids: z.array(id), run_id: id.optional() }),
  retry: seconds(0.5, 2, 5, 30),
  retryForever: true,
  concurrency: 6,
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

/** Metrics show the number of actions and timers. */
export const worker = serve(advanceWorkflows, async (ctx, { workspace_id, event_ids, run_id }, job) => {
  const runs = run_id === undefined ? await runsOfEvents(ctx.db, workspace_id, event_ids) : [run_id];
  let steps = 0;
  for (const runId of runs) {
    const worked = await workOnRun(ctx, { workspaceId: workspace_id, runId, stopping: job.stopping });
    steps += worked.steps;
    if (worked.waitMs !== null) await addNext(workspace_id, runId, worked.waitMs, job);
  }
  return { steps };
});

/** The id is new, because this job may have the id of the usual one. If the job is not added, the sweep adds one. */
async function addNext(workspace_id: string, run_id: string, waitMs: number, { add }: JobInfo): Promise<void> {
  if (waitMs > MAX_WAIT_MS) return;
  await add(advanceWorkflows, [{ id: newId(), payload: { workspace_id, event_ids: [], run_id }, delayMs: waitMs }]);
}
