import type { Background } from "../../domain/events/background.ts";
import { takeDue } from "../../domain/tenancy/credits/asking.sql.ts";
import { expireChallenges, forgetChallenges } from "../../domain/tenancy/credits/challenges.sql.ts";
import { reconcile } from "../../domain/tenancy/credits/settle.ts";
import { settlePayments } from "../../queues/index.ts";
import { worker } from "../worker.ts";

const BATCH = 100;
const AT_ONCE = 10;
/** Until then a late buyer hears that its challenge is over; later it is unknown. */
const CHALLENGES_KEPT_MS = 86_400_000;

/** Asks about purchases whose outcome nobody stored, and ends challenges that nobody paid. */
export const settlePaymentsWorker = worker(settlePayments, async (ctx, _, { stopping }) => {
  // First, for the processor may take its time with the rest.
  const expired = await expireChallenges(ctx.db, ctx.now);
  const forgotten = await forgetChallenges(ctx.db, new Date(Date.parse(ctx.now) - CHALLENGES_KEPT_MS).toISOString());
  return { settled: await settleOpen(ctx, stopping), expired, forgotten };
});

/** Some at a time; what is left at a stop is asked about when its next question is due. */
async function settleOpen(ctx: Background, stopping: AbortSignal): Promise<number> {
  const left = await takeDue(ctx.db, ctx.now, BATCH);
  let asked = 0;
  const one = async () => {
    for (let next = left.shift(); next && !stopping.aborted; next = left.shift()) {
      const { id, workspace_id } = next;
      asked++;
      await reconcile(ctx, workspace_id, id).catch((error) =>
        ctx.log.warn({ err: error, purchase_id: id }, "a purchase could not be settled yet"),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return asked;
}
