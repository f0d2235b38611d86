import type { Db } from "../../kernel/ports/ports.ts";

/** Deletes of the installation's housekeeping: over all workspaces, a batch at a time, so that none holds locks for long. */

const BATCH = 5_000;

/** Answers of calls that can no longer be repeated, as the version before stored them. */
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

/** Invites that ended one way or another; what became of them is in the events. */
export const deleteInvites = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from invite t where t.expires_at < $1 limit $2", "invite", [before]);

/** Tries of forms' passwords. */
export const deleteFormGuesses = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from form_guess t where t.last_at < $1 limit $2", "form_guess", [before]);

export const deleteSessions = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from session t where t.expires_at < $1 limit $2", "session", [before]);

export const deleteSignIns = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from sign_in t where t.expires_at < $1 limit $2", "sign_in", [before]);

/** Mail that is over or was given up. */
export const deleteMails = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from mail t where t.created_at < $1 limit $2", "mail", [before]);
/** What the OAuth provider kept for a time. */
export const deleteOAuthRecords = (db: Db, now: string): Promise<number> =>
  inBatches(db, "select t.ctid from oauth_record t where t.expires_at < $1 limit $2", "oauth_record", [now]);

/** OAuth clients that registered and were never approved by anybody. */
export const deleteUnapprovedClients = (db: Db, before: string): Promise<number> =>
  inBatches(
    db,
    "select t.ctid from oauth_client t where t.approved_at is null and t.created_at < $1 limit $2",
    "oauth_client",
    [before],
  );

/** OAuth grants of which no code and no token is left: nobody can use them any more. */
export async function endLapsedGrants(db: Db, now: string, before: string): Promise<number> {
  const rows = await db.query(
    {
      text: `
        update api_key k set revoked_at = $1, revoke_reason = 'expired', updated_at = $1
        where k.kind = 'oauth' and k.revoked_at is null and k.created_at < $2
          and not exists (select from oauth_record t where t.grant_id = k.id)
        returning 1`,
    },
    [now, before],
  );
  return rows.length;
}

async function inBatches(db: Db, selection: string, table: string, [before, ...rest]: [string, ...string[]]) {
  const text = `delete from ${table} where ctid = any(array(${selection} for update of t skip locked)) returning 1`;
  let total = 0;
  for (let deleted = BATCH; deleted === BATCH; total += deleted) {
    deleted = (await db.query({ text }, [before, BATCH, ...rest])).length;
  }
  return total;
}
