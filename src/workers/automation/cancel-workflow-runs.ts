import { z } from "zod";
import { cancelRunsOfDeleted } from "../../domain/automation/workflow-runs/of-deleted.ts";
import { ALWAYS, defineQueue, id, seconds } from "../../queues/queue.ts";
import { NotNow, serve } from "../worker.ts";

/** Cancels the open runs of deleted workflows. There may be thousands, so the call that deletes a workflow does not. */
export const cancelWorkflowRuns = defineQueue("cancel-workflow-runs", {
  on: ["workflow.deleted"],
  listeners: ALWAYS,
  payload: z.object({ workspace_id: id, event_id: id }),
  retry: seconds(1, 5, 30, 300),
  retryForever: true,
  concurrency: 4,
});

const TURN_MS = 500;

export const worker = serve(cancelWorkflowRuns, async (ctx, { workspace_id, event_id }, { stopping, report }) => {
  const end = performance.now() + TURN_MS;
  const goesOn = () => performance.now() < end && !stopping.aborted;
  const { cancelled, left } = await cancelRunsOfDeleted(ctx, workspace_id, { eventId: event_id, goesOn });
  report({ cancelled });
  if (left) throw new NotNow("the turn is over", 0);
  return {};
});
