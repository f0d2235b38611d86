import { z } from "zod";
import { removableObjects } from "../../domain/delivery/files/collect.sql.ts";
import { collectFiles as collect } from "../../domain/delivery/files/collect.ts";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Removes the bytes of deleted files. */
export const collectFiles = defineQueue("collect-files", {
  repeat: ({ sweepSeconds }) => ({ every: Math.round(sweepSeconds * 6_000) }),
  rows: removableObjects,
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

export const worker = serve(collectFiles, (ctx, _, { stopping }) => collect(ctx, stopping));
