import type { Background } from "./background.ts";
import { deleteDeliveries, deleteIdempotency, deleteNotices, deleteRevokedKeys } from "./clean-up.sql.ts";
import { maintainPartitions } from "./events.sql.ts";
import { PLANS } from "./plans.ts";

const IDEMPOTENCY_DAYS = 1;
const REVOKED_KEY_DAYS = 90;
// The processor repeats a notice for three days, and by hand for thirty. A later repeat would do no harm.
const NOTICE_DAYS = 31;

/** Deletes what is kept for a time only, and makes room for the events of the months to come. May run at any time. */
export async function cleanUp(ctx: Background) {
  const { db, settings } = ctx;
  const before = (days: number) => new Date(Date.parse(ctx.now) - days * 86_400_000).toISOString();

  let deliveries = 0;
  for (const plan of PLANS) {
    const days = settings.plans(plan, "delivery_history_days");
    if (days !== null) deliveries += await deleteDeliveries(db, plan, before(days));
  }
  const idempotency = await deleteIdempotency(db, before(IDEMPOTENCY_DAYS));
  const keys = await deleteRevokedKeys(db, before(REVOKED_KEY_DAYS));
  const notices = await deleteNotices(db, before(NOTICE_DAYS));
  const { dropped } = await maintainPartitions(db, new Date(ctx.now), settings.eventRetentionDays);
  return { deliveries, idempotency, keys, notices, partitions: dropped.length };
}
