import { z } from "zod";
import { notifyOf } from "../../domain/knowledge/notifications/notify.ts";
import { NOTIFYING, WORTH_A_LOOK } from "../../domain/knowledge/notifications/rules.ts";
import { ALWAYS, defineQueue, id, seconds } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Writes the notifications of events. */
export const notify = defineQueue("notify", {
  on: NOTIFYING,
  only: WORTH_A_LOOK,
  // `only` finds the events that can notify somebody.
  listeners: ALWAYS,
  eventsPerJob: 20,
  // The fewer events wait in a workspace, the sooner its job runs. So thousands of events in one do not delay the others.
  priority: ({ event_ids }) => event_ids.length - 1,
  payload: z.object({ workspace_id: id, event_ids: z.array(id).min(1) }),
  retry: seconds(1, 5, 30, 300),
  concurrency: 4,
});

export const worker = serve(notify, async (ctx, { workspace_id, event_ids }) => ({
  notifications: await notifyOf(ctx, workspace_id, event_ids),
}));
