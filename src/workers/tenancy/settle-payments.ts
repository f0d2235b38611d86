import { z } from "zod";
import type { Background } from "../../domain/events/background.ts";
import { workOn } from "../../domain/kernel/leases.ts";
import { purchasesToAsk } from "../../domain/tenancy/credits/asking.sql.ts";
import { expireChallenges, forgetChallenges } from "../../domain/tenancy/credits/challenges.sql.ts";
import { reconcile } from "../../domain/tenancy/credits/reconcile.ts";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Asks about purchases without an outcome; ends challenges that nobody paid. */
export const settlePayments = defineQueue("settle-payments", {
  // Buyers wait for it.
  repeat: ({ sweepSeconds }) => ({ every: Math.round(Math.min(sweepSeconds, 2) * 1000) }),
  rows: purchasesToAsk,
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

const BATCH = 100;
const AT_ONCE = 10;
/** Until then a late buyer hears that its challenge is over; later it is unknown. */
const CHALLENGES_KEPT_MS = 86_400_000;

export const worker = serve(settlePayments, async (ctx, _, { stopping }) => {
  // First, for the processor may take its time with the rest.
  const expired = await expireChallenges(ctx.db, ctx.now);
  const forgotten = await forgetChallenges(ctx.db, new Date(Date.parse(ctx.now) - CHALLENGES_KEPT_MS).toISOString());
  return { settled: await askAboutDue(ctx, stopping), expired, forgotten };
});

async function askAboutDue(ctx: Background, stopping: AbortSignal): Promise<number> {
  const due = await purchasesToAsk.claimDue(ctx.db, BATCH);
  const onError = ({ id }: { id: string }, error: unknown) =>
    ctx.log.warn({ err: error, purchase_id: id }, "a purchase could not be settled yet");
  return workOn(due, { atOnce: AT_ONCE, stopping, onError }, ({ id, workspace_id }) =>
    reconcile(ctx, workspace_id, id),
  );
}
