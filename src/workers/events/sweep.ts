import { z } from "zod";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";
import { takeBackMatches } from "./reactions.sql.ts";

const BATCH = 1_000;

/** Adds jobs again that Redis lost, as each queue says (`lost`). The relay does it for the jobs of events. */
export const sweep = defineQueue("sweep", {
  repeat: ({ sweepSeconds }) => ({ every: Math.round(sweepSeconds * 1000) }),
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

/** Metrics show how many jobs were added, by queue. */
export const worker = serve(sweep, async ({ database }, _, { queues, add }) => {
  await takeBackMatches(database, BATCH);
  const added: Record<string, number> = {};
  for (const queue of queues) {
    const jobs = (await queue.lost?.(database)) ?? [];
    await add(queue, jobs);
    if (queue.lost) added[queue.name] = jobs.length;
  }
  return added;
});
