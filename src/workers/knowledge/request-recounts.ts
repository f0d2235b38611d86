import { z } from "zod";
import { AUTOMATIC_EXIST } from "../../domain/knowledge/key-results/recount.sql.ts";
import { requestFor } from "../../domain/knowledge/key-results/request-recount.ts";
import { defineQueue, id, seconds } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Notes that the issues of a project changed, so that automatic key results have to count them again. */
export const requestRecounts = defineQueue("request-recounts", {
  on: [
    "issue.created",
    "issue.updated",
    "issue.archived",
    "issue.restored",
    "project.updated",
    "status.updated",
    "status.deleted",
    "label.deleted",
  ],
  listeners: AUTOMATIC_EXIST,
  payload: z.object({ workspace_id: id, event_id: id }),
  retry: seconds(1, 5, 30, 300),
  concurrency: 10,
});

export const worker = serve(requestRecounts, async (ctx, { workspace_id, event_id }) => ({
  requested: await requestFor(ctx, workspace_id, event_id),
}));
