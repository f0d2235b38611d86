import type { Db } from "./ports.ts";

/** Deletes of the installation's housekeeping: over all workspaces, a batch at a time, so that none holds locks for long. */

const BATCH = 5_000;

/** Answers of calls that can no longer be repeated. */
export const deleteIdempotency = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from idempotency t where t.created_at < $1 limit $2", "idempotency", [before]);

/** Deliveries that are over, of workspaces on one plan. */
export const deleteDeliveries = (db: Db, plan: string, before: string): Promise<number> =>
  inBatches(
    db,
    `select t.ctid from workspace w join webhook_delivery t on t.workspace_id = w.id
     where t.created_at < $1 and t.state in ('succeeded', 'failed', 'skipped') and w.plan = $3 limit $2`,
    "webhook_delivery",
    [before, plan],
  );

/** Keys that nobody can use any more, after the time they stay listed. */
export const deleteRevokedKeys = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from api_key t where t.revoked_at < $1 limit $2", "api_key", [before]);

/** Ids of the card processor's notices, which it no longer repeats. */
export const deleteNotices = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from processor_notice t where t.received_at < $1 limit $2", "processor_notice", [
    before,
  ]);

async function inBatches(db: Db, selection: string, table: string, [before, ...rest]: [string, ...string[]]) {
  const text = `delete from ${table} where ctid = any(array(${selection} for update of t skip locked)) returning 1`;
  let total = 0;
  for (let deleted = BATCH; deleted === BATCH; total += deleted) {
    deleted = (await db.query({ text }, [before, BATCH, ...rest])).length;
  }
  return total;
}
