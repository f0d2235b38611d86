import { z } from "zod";
import { indexOldRows } from "../../domain/knowledge/search/old-rows.sql.ts";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Makes rows that are older than search findable. Once there are none, it reads nine empty indexes. */
export const indexOld = defineQueue("index-old-rows", {
  repeat: ({ sweepSeconds }) => ({ every: Math.round(Math.max(sweepSeconds, 60) * 1000) }),
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

export const worker = serve(indexOld, async (ctx, _, { stopping }) => ({ indexed: await indexOldRows(ctx, stopping) }));
