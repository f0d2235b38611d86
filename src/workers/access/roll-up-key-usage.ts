import { z } from "zod";
import { rollUpKeyUsage as rollUp } from "../../domain/access/key-usage/roll-up.ts";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

const EVERY_MS = 15_000;

/** Adds the calls of keys that were counted in Redis to the rows of their days. */
export const rollUpKeyUsage = defineQueue("roll-up-key-usage", {
  repeat: () => ({ every: EVERY_MS }),
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

export const worker = serve(rollUpKeyUsage, (ctx, _, { stopping }) => rollUp(ctx, stopping));
