import { z } from "zod";
import { settleEverywhere } from "../../domain/automation/agent-sessions/settle.ts";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Fails agent sessions that have been silent for too long, and settles those that no event has settled. */
export const sweepSessions = defineQueue("sweep-sessions", {
  // It reads all open sessions.
  repeat: ({ sweepSeconds }) => ({ every: Math.round(sweepSeconds * 6_000) }),
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

export const worker = serve(sweepSessions, async (ctx, _, { stopping }) => ({
  sessions: await settleEverywhere(ctx, stopping),
}));
