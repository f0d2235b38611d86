import { notifyOf } from "../../domain/knowledge/notifications/notify.ts";
import { NOTIFYING, WORTH_A_LOOK } from "../../domain/knowledge/notifications/rules.ts";
import { ALWAYS, defineQueue, eventsTogether, seconds } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Writes the notifications of events. */
export const notify = defineQueue("notify", {
  on: NOTIFYING,
  only: WORTH_A_LOOK,
  // `only` finds the events that can notify somebody.
  listeners: ALWAYS,
  ...eventsTogether(20),
  retry: seconds(1, 5, 30, 300),
  concurrency: 6,
});

export const worker = serve(notify, async (ctx, { workspace_id, event_ids }) => ({
  notifications: await notifyOf(ctx, workspace_id, event_ids),
}));
