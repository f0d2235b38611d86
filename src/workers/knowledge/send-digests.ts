import { z } from "zod";
import { digestRows } from "../../domain/knowledge/digests/digests.sql.ts";
import { writeDigests } from "../../domain/knowledge/digests/write-digests.ts";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Writes the mails with unread notifications to people who chose to get them. */
export const sendDigests = defineQueue("send-digests", {
  repeat: ({ sweepSeconds }) => ({ every: Math.round(sweepSeconds * 1000) }),
  rows: digestRows,
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

export const worker = serve(sendDigests, async (ctx, _, { processId, stopping }) => ({
  mails: await writeDigests(ctx, processId, stopping),
}));
