import { z } from "zod";
import { continueRuns, reactTo, type Worked } from "../../domain/automation/automation-runs/process.ts";
import { IS_LIVE } from "../../domain/automation/automation-runs/rules.sql.ts";
import { runs } from "../../domain/automation/automation-runs/runs.sql.ts";
import { STARTING, WORTH_A_LOOK } from "../../domain/automation/automation-runs/sources.ts";
import type { EventType } from "../../domain/event-catalogue.ts";
import { newId } from "../../domain/kernel/ids.ts";
import { defineQueue, id, seconds } from "../../queues/queue.ts";
import { type JobInfo, serve } from "../worker.ts";

/**
 * Runs the automations that react to events. A job without events continues the runs of a workspace that were left, or
 * whose worker died.
 */
export const runAutomations = defineQueue("run-automations", {
  // Some events are not defined yet.
  on: STARTING as readonly EventType[],
  only: WORTH_A_LOOK,
  listeners: `exists (select from automation a where a.workspace_id = $1 and ${IS_LIVE})`,
  eventsPerJob: 20,
  payload: z.object({ workspace_id: id, event_ids: z.array(id) }),
  retry: seconds(1, 5, 30, 300),
  concurrency: 8,
  rows: runs,
  lost: async (db) => (await runs.workspacesDue(db)).map(jobToContinue),
});

/** A job that continues the runs of a workspace. While it is in its queue, adding it again does nothing. */
export const jobToContinue = (workspace_id: string) => ({
  id: `continue-${workspace_id}`,
  payload: { workspace_id, event_ids: [] },
});

/** Metrics show how many runs ended. */
export const worker = serve(runAutomations, async (ctx, { workspace_id, event_ids }, job) => {
  const working = { processId: job.processId, stopping: job.stopping, clock: () => performance.now() };
  const worked =
    event_ids.length === 0
      ? await continueRuns(ctx, workspace_id, working)
      : await reactTo(ctx, workspace_id, event_ids, working);
  await addNext(workspace_id, worked, job);
  if (worked.errors.length > 0) throw worked.errors[0];
  return { runs: worked.runs };
});

/** The id is new, because this job may have the id of the usual one. If the job is not added, the sweep adds one. */
async function addNext(workspaceId: string, { left, waitMs }: Worked, { add, stopping }: JobInfo): Promise<void> {
  if (left === 0 || stopping.aborted) return;
  await add(runAutomations, [
    { ...jobToContinue(workspaceId), id: newId(), ...(waitMs > 0 ? { delayMs: waitMs } : {}) },
  ]);
}

/** Adds the jobs for new runs of workspaces. If that fails, the sweep adds them. */
export async function addContinuing(workspaces: Iterable<string>, { add }: Pick<JobInfo, "add">): Promise<void> {
  const jobs = [...workspaces].map((id) => ({ ...jobToContinue(id), id: newId() }));
  if (jobs.length > 0) await add(runAutomations, jobs);
}
