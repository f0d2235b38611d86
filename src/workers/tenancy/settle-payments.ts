import { z } from "zod";
import type { Background } from "../../domain/events/background.ts";
import { workOn } from "../../domain/kernel/leases.ts";
import { deleteUnpaidChallenges, expireChallenges } from "../../domain/tenancy/credits/challenges.sql.ts";
import { purchasesToCheck } from "../../domain/tenancy/credits/next-check.sql.ts";
import { reconcile } from "../../domain/tenancy/credits/reconcile.ts";
import { defineQueue } from "../../queues/queue.ts";
import { serve } from "../worker.ts";

/** Checks purchases without an outcome at the card processor, and expires unpaid challenges. */
export const settlePayments = defineQueue("settle-payments", {
  // Buyers wait for the outcome.
  repeat: ({ sweepSeconds }) => ({ every: Math.round(Math.min(sweepSeconds, 2) * 1000) }),
  rows: purchasesToCheck,
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

const BATCH = 20;
const AT_ONCE = 10;
/** Until then, a late buyer learns that the challenge has expired. After that, the challenge is unknown. */
const CHALLENGES_KEPT_MS = 86_400_000;

export const worker = serve(settlePayments, async (ctx, _, { stopping }) => {
  // First, because the processor may respond slowly.
  const expired = await expireChallenges(ctx.db);
  const forgotten = await deleteUnpaidChallenges(
    ctx.db,
    new Date(Date.parse(ctx.now) - CHALLENGES_KEPT_MS).toISOString(),
  );
  return { settled: await checkDue(ctx, stopping), expired, forgotten };
});

async function checkDue(ctx: Background, stopping: AbortSignal): Promise<number> {
  const due = await purchasesToCheck.claimDue(ctx.db, BATCH);
  const onError = ({ id }: { id: string }, error: unknown) =>
    ctx.log.warn({ err: error, purchase_id: id }, "a purchase could not be checked yet");
  return workOn(due, { atOnce: AT_ONCE, stopping, onError }, ({ id, workspace_id }) =>
    reconcile(ctx, workspace_id, id),
  );
}
