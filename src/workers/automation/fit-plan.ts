import { z } from "zod";
import { fitToPlan } from "../../domain/automation/plan/fit.ts";
import { ALWAYS, defineQueue, id, seconds } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** After a change of the plan, stops automations and workflows above its limits, or starts them again. */
export const fitPlan = defineQueue("fit-plan", {
  on: ["workspace.updated"],
  only: { "workspace.updated": "'plan' = any(e.changed)" },
  listeners: ALWAYS,
  payload: z.object({ workspace_id: id, event_id: id }),
  retry: seconds(1, 5, 30, 300),
  retryForever: true,
  concurrency: 4,
});

export const worker = serve(fitPlan, async (ctx, { workspace_id }) => ({
  changed: await fitToPlan(ctx, workspace_id),
}));
