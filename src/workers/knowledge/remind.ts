import { z } from "zod";
import { reminders } from "../../domain/knowledge/notifications/reminders.sql.ts";
import { remindDue } from "../../domain/knowledge/notifications/reminders.ts";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Notifies people of issues that are due soon or overdue. */
export const remind = defineQueue("remind", {
  repeat: ({ sweepSeconds }) => ({ every: Math.round(sweepSeconds * 1000) }),
  rows: { ...reminders, later: "next_at > now()" },
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

export const worker = serve(remind, async (ctx, _, { stopping }) => ({ reminders: await remindDue(ctx, stopping) }));
