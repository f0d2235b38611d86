import { expireChallenges } from "../domain/credits/challenges.sql.ts";
import { takeUnsettled } from "../domain/credits/purchases.sql.ts";
import { reconcile } from "../domain/credits/settle.ts";
import { settlePayments } from "../queues/index.ts";
import { worker } from "./worker.ts";

const BATCH = 100;

/** Asks about purchases whose outcome nobody stored, and ends challenges that nobody paid. */
export const settlePaymentsWorker = worker(settlePayments, async (ctx) => {
  const before = new Date(Date.parse(ctx.now) - ctx.settings.payments.settleAfterMs).toISOString();
  const unsettled = await takeUnsettled(ctx.db, ctx.now, before, BATCH);
  for (const { id, workspace_id } of unsettled) {
    await reconcile(ctx, workspace_id, id).catch((error) =>
      ctx.log.warn({ err: error, purchase_id: id }, "a purchase could not be settled yet"),
    );
  }
  return { settled: unsettled.length, expired: await expireChallenges(ctx.db, ctx.now) };
});
