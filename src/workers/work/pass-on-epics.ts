import { z } from "zod";
import { epicChanges } from "../../domain/work/issues/epics.sql.ts";
import { passOnEpics as passOn } from "../../domain/work/issues/pass-on-epics.ts";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Passes on the epic of an issue to the issues below it, if they are too many for one call. */
export const passOnEpics = defineQueue("pass-on-epics", {
  repeat: ({ sweepSeconds }) => ({ every: Math.round(Math.min(sweepSeconds, 1) * 1000) }),
  rows: epicChanges,
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

/** Metrics show how many issues changed. */
export const worker = serve(passOnEpics, async (ctx, _, { processId, stopping }) => ({
  issues: await passOn(ctx, { processId, stopping, clock: () => performance.now() }),
}));
