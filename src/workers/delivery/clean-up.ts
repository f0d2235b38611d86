import { z } from "zod";
import { cleanUp as clean } from "../../domain/delivery/clean-up/clean-up.ts";
import { defineQueue, seconds } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Deletes expired rows. */
export const cleanUp = defineQueue("clean-up", {
  repeat: () => ({ pattern: "17 * * * *", tz: "UTC" }),
  payload: z.object({}),
  retry: seconds(60, 600),
  concurrency: 1,
});

export const worker = serve(cleanUp, (ctx) => clean(ctx));
