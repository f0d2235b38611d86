import { z } from "zod";
import type { EventType } from "../../domain/event-catalogue.ts";
import { AUTOMATIC_EXIST, CHANGES_COUNTS } from "../../domain/knowledge/key-results/recount.sql.ts";
import { requestFor } from "../../domain/knowledge/key-results/request-recount.ts";
import { defineQueue, id, seconds } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

const CAUSES: EventType[] = [
  ...(["issue.created", "issue.updated", "issue.archived", "issue.restored"] as const),
  ...(["project.updated", "status.updated", "status.deleted", "label.deleted"] as const),
];

/** Notes that the issues of a project changed, so that automatic key results have to count them again. */
export const requestRecounts = defineQueue("request-recounts", {
  on: CAUSES,
  only: Object.fromEntries(CAUSES.map((name) => [name, CHANGES_COUNTS])),
  listeners: AUTOMATIC_EXIST,
  payload: z.object({ workspace_id: id, event_id: id }),
  retry: seconds(1, 5, 30, 300),
  concurrency: 10,
});

export const worker = serve(requestRecounts, async (ctx, { workspace_id, event_id }) => ({
  requested: await requestFor(ctx, workspace_id, event_id),
}));
