import { z } from "zod";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";
import { returnMatchesToOutbox } from "./reactions.sql.ts";

const BATCH = 1_000;

/** Adds jobs again that Redis lost, found by each queue's `lost`. The relay does this for jobs of events. */
export const sweep = defineQueue("sweep", {
  repeat: ({ sweepSeconds }) => ({ every: Math.round(sweepSeconds * 1000) }),
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

/** Metrics show how many jobs were added, by queue. */
export const worker = serve(sweep, async ({ database }, _, { queues, add }) => {
  await returnMatchesToOutbox(database, BATCH);
  const added: Record<string, number> = {};
  for (const queue of queues) {
    const jobs = (await queue.lost?.(database)) ?? [];
    await add(queue, jobs);
    if (queue.lost) added[queue.name] = jobs.length;
  }
  return added;
});
