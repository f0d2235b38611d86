import { z } from "zod";
import { dueGoals } from "../../domain/knowledge/goals/announce.sql.ts";
import { announceDue } from "../../domain/knowledge/goals/announce.ts";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Records `goal.status_changed` for goals whose status has changed because time has passed. */
export const announceGoals = defineQueue("announce-goals", {
  repeat: ({ sweepSeconds }) => ({ every: Math.round(sweepSeconds * 1000) }),
  rows: dueGoals,
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

export const worker = serve(announceGoals, async (ctx, _, { stopping }) => ({
  goals: await announceDue(ctx, stopping),
}));
