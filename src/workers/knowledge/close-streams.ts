import { z } from "zod";
import { closeSilent } from "../../domain/knowledge/chat-messages/close-silent.ts";
import { silentStreams } from "../../domain/knowledge/chat-messages/stream.sql.ts";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Ends streamed messages whose authors have been silent for two minutes. */
export const closeStreams = defineQueue("close-streams", {
  repeat: ({ sweepSeconds }) => ({ every: Math.round(Math.min(sweepSeconds, 5) * 1000) }),
  rows: silentStreams,
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

export const worker = serve(closeStreams, async (ctx, _, { stopping }) => ({
  closed: await closeSilent(ctx, stopping),
}));
