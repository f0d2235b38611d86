import { expireChallenges, forgetChallenges } from "../domain/credits/challenges.sql.ts";
import { takeUnsettled } from "../domain/credits/purchases.sql.ts";
import { reconcile } from "../domain/credits/settle.ts";
import { settlePayments } from "../queues/index.ts";
import { worker } from "./worker.ts";

const BATCH = 100;
/** Until then a late buyer hears that its challenge is over; later it is unknown. */
const CHALLENGES_KEPT_MS = 86_400_000;

/** Asks about purchases whose outcome nobody stored, and ends challenges that nobody paid. */
export const settlePaymentsWorker = worker(settlePayments, async (ctx) => {
  const before = new Date(Date.parse(ctx.now) - ctx.settings.payments.settleAfterMs).toISOString();
  const unsettled = await takeUnsettled(ctx.db, ctx.now, before, BATCH);
  for (const { id, workspace_id } of unsettled) {
    await reconcile(ctx, workspace_id, id).catch((error) =>
      ctx.log.warn({ err: error, purchase_id: id }, "a purchase could not be settled yet"),
    );
  }
  const expired = await expireChallenges(ctx.db, ctx.now);
  const forgotten = await forgetChallenges(ctx.db, new Date(Date.parse(ctx.now) - CHALLENGES_KEPT_MS).toISOString());
  return { settled: unsettled.length, expired, forgotten };
});
