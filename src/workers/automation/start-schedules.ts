import { z } from "zod";
import { schedules } from "../../domain/automation/automation-runs/clock.sql.ts";
import { startSchedules } from "../../domain/automation/automation-runs/schedules.ts";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";
import { addContinuing } from "./run-automations.ts";

/** Starts automations with schedules. */
export const startAutomations = defineQueue("start-schedules", {
  repeat: ({ sweepSeconds }) => ({ every: Math.round(Math.min(sweepSeconds, 5) * 1000) }),
  rows: { ...schedules, later: "due_at > now()" },
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

export const worker = serve(startAutomations, async (ctx, _, job) => {
  const workspaces = await startSchedules(ctx, job.stopping);
  await addContinuing(workspaces, job);
  return { workspaces: workspaces.size };
});
