import { z } from "zod";
import type { EventType } from "../../domain/event-catalogue.ts";
import { makeInPieces } from "../../domain/work/mass-changes/make-in-pieces.ts";
import { dueWorkspaces, massChanges } from "../../domain/work/mass-changes/mass-changes.sql.ts";
import { ALWAYS, defineQueue, id, seconds } from "../../queues/queue.ts";
import { NotNow, serve } from "../worker.ts";

/** Events of objects whose change may concern very many issues. */
const STARTS: EventType[] = [
  ...(["label.deleted", "milestone.deleted", "release.deleted", "sprint.deleted", "sprint.completed"] as const),
  ...(["custom_field.deleted", "custom_field.updated"] as const),
  ...(["status.updated", "status.deleted"] as const),
];
const IS_LARGE = "exists (select from mass_change m where m.project_id = e.project_id)";

/** Makes the changes of very many issues in pieces. A job without events is for changes whose job was lost. */
export const makeMassChanges = defineQueue("make-mass-changes", {
  on: STARTS,
  only: Object.fromEntries(STARTS.map((name) => [name, IS_LARGE])),
  // `only` finds the events after which there is something to do.
  listeners: ALWAYS,
  eventsPerJob: 10,
  payload: z.object({ workspace_id: id, event_ids: z.array(id) }),
  retry: seconds(0.5, 2, 5, 30),
  retryForever: true,
  concurrency: 2,
  rows: massChanges,
  lost: async (db) =>
    (await dueWorkspaces(db)).map(({ workspace_id }) => ({
      id: workspace_id,
      payload: { workspace_id, event_ids: [] },
    })),
});

/** Metrics show the number of issues, and the queue console how far a change has come. */
export const worker = serve(makeMassChanges, async (ctx, { workspace_id }, job) => {
  const { processId, stopping, progress } = job;
  const clock = () => performance.now();
  const { issues, left } = await makeInPieces(ctx, workspace_id, { processId, stopping, clock, progress });
  job.report({ issues });
  if (left) throw new NotNow("others have their turn", 0);
  return {};
});
