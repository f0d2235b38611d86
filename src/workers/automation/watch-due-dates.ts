import { z } from "zod";
import { watches } from "../../domain/automation/automation-runs/clock.sql.ts";
import { watchDueDates } from "../../domain/automation/automation-runs/watch.ts";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";
import { addContinuing } from "./run-automations.ts";

/** Starts automations for issues that are overdue or due soon. */
export const watchIssues = defineQueue("watch-due-dates", {
  repeat: ({ sweepSeconds }) => ({ every: Math.round(Math.min(sweepSeconds, 5) * 1000) }),
  rows: { ...watches, later: "next_at > now()" },
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

export const worker = serve(watchIssues, async (ctx, _, job) => {
  const workspaces = await watchDueDates(ctx, job.stopping);
  await addContinuing(workspaces, job);
  return { workspaces: workspaces.size };
});
