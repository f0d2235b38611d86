import { z } from "zod";
import { departures, dueWorkspaces } from "../../domain/tenancy/workspaces/departures.sql.ts";
import { unassignDeparted as unassign } from "../../domain/work/issues/unassign-departed.ts";
import { ALWAYS, defineQueue, id, seconds } from "../../queues/queue.ts";
import { NotNow, serve } from "../worker.ts";

/**
 * Unassigns people who left a workspace from their open issues, if these are too many for one call. A job without events
 * is for departures whose job was lost.
 */
export const unassignDeparted = defineQueue("unassign-departed", {
  on: ["member.removed"],
  only: { "member.removed": "exists (select from member_departure d where d.workspace_id = e.workspace_id)" },
  // `only` finds the events after which there is something to do.
  listeners: ALWAYS,
  eventsPerJob: 10,
  payload: z.object({ workspace_id: id, event_ids: z.array(id) }),
  retry: seconds(0.5, 2, 5, 30),
  retryForever: true,
  concurrency: 2,
  rows: departures,
  lost: async (db) =>
    (await dueWorkspaces(db)).map(({ workspace_id }) => ({
      id: workspace_id,
      payload: { workspace_id, event_ids: [] },
    })),
});

/** Metrics show the number of issues, and the queue console how many somebody was unassigned from. */
export const worker = serve(unassignDeparted, async (ctx, { workspace_id }, job) => {
  const { processId, stopping, progress } = job;
  const clock = () => performance.now();
  const { issues, left } = await unassign(ctx, workspace_id, { processId, stopping, clock, progress });
  job.report({ issues });
  if (left) throw new NotNow("others have their turn", 0);
  return {};
});
