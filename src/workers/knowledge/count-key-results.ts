import { z } from "zod";
import { workInTurns } from "../../domain/kernel/leases.ts";
import { recounts } from "../../domain/knowledge/key-results/recount.sql.ts";
import { recount } from "../../domain/knowledge/key-results/recount.ts";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Counts issues for automatic key results, in the projects that have changed. */
export const countKeyResults = defineQueue("count-key-results", {
  // People wait for the numbers.
  repeat: ({ sweepSeconds }) => ({ every: Math.round(Math.min(sweepSeconds, 1) * 1000) }),
  rows: recounts,
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

const AT_ONCE = 2;

/** Metrics show how many key results changed. */
export const worker = serve(countKeyResults, async (ctx, _, { processId, stopping }) => {
  const claim = (limit: number) => recounts.claimDue(ctx.db, limit, processId);
  let changed = 0;
  const onError = ({ project_id }: { project_id: string }, error: unknown) =>
    ctx.log.warn({ err: error, project_id }, "the issues of a project could not be counted yet");
  const projects = await workInTurns(claim, { atOnce: AT_ONCE, stopping, onError }, async (claimed) => {
    changed += await recount(ctx, claimed);
  });
  return { projects, changed };
});
