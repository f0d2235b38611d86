import { z } from "zod";
import { countSprints, tallySteps } from "../../domain/work/reports/tally.sql.ts";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Adds changes of issues to the counts that reports read. Reports are exact before, too: they add what is left. */
export const tallyIssues = defineQueue("tally-issues", {
  repeat: ({ sweepSeconds }) => ({ every: Math.round(Math.min(sweepSeconds, 5) * 1000) }),
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

export const worker = serve(tallyIssues, async (ctx, _, { stopping }) => ({
  steps: await tallySteps(ctx, stopping),
  sprints: await countSprints(ctx, stopping),
}));
