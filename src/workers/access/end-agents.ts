import { z } from "zod";
import { endExpiredAgents } from "../../domain/access/agents/end-expired.ts";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Revokes agents whose last key has expired. Keys that people revoke end their agents at once. */
export const endAgents = defineQueue("end-agents", {
  repeat: ({ sweepSeconds }) => ({ every: Math.round(Math.min(sweepSeconds, 60) * 1000) }),
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

export const worker = serve(endAgents, async (ctx, _, { stopping }) => ({
  agents: await endExpiredAgents(ctx, stopping),
}));
