import { z } from "zod";
import { queueReplays } from "../../domain/delivery/webhooks/queue-replays.ts";
import { replays } from "../../domain/delivery/webhooks/replay.sql.ts";
import { newId } from "../../domain/kernel/ids.ts";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";
import { deliverWebhook } from "./deliver-webhook.ts";

/** Queues the messages of replays, as fast as they are sent. */
export const replayMessages = defineQueue("replay-messages", {
  repeat: ({ sweepSeconds }) => ({ every: Math.round(Math.min(sweepSeconds, 1) * 1000) }),
  rows: replays,
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

/** Metrics show how many messages were queued. */
export const worker = serve(replayMessages, async (ctx, _, { processId, stopping, add }) => ({
  queued: await queueReplays(ctx, {
    processId,
    stopping,
    clock: () => performance.now(),
    // The id is new, because a job with the webhook's id may just be ending.
    deliver: ({ workspace_id, webhook_id }) =>
      add(deliverWebhook, [{ id: newId(), payload: { workspace_id, webhook_id } }]),
  }),
}));
