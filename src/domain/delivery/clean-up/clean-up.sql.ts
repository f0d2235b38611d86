import { firstIdAt } from "../../kernel/ids.ts";
import type { Db } from "../../kernel/ports/ports.ts";

/** Deletes expired rows of all workspaces, in batches, so that no statement keeps locks for long. */

const BATCH = 5_000;

/** Replies that the previous version stored, of calls that can no longer be repeated. */
export const deleteIdempotency = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from idempotency t where t.created_at < $1 limit $2", "idempotency", [before]);

/** Finished deliveries of workspaces on one plan. */
export const deleteDeliveries = (db: Db, plan: string, before: string): Promise<number> =>
  inBatches(
    db,
    `select t.ctid from workspace w join webhook_delivery t on t.workspace_id = w.id
     where t.created_at < $1 and t.state in ('succeeded', 'failed', 'skipped') and w.plan = $3 limit $2`,
    "webhook_delivery",
    [before, plan],
  );

/** Days of revoked keys, which are deleted afterwards: Postgres would delete all their days in one statement. */
export const deleteUsageOfRevokedKeys = (db: Db, before: string): Promise<number> =>
  inBatches(
    db,
    "select t.ctid from api_key k join api_key_usage t on t.key_id = k.id where k.revoked_at < $1 limit $2",
    "api_key_usage",
    [before],
  );

/** Revoked keys, after the time for which they stay listed. */
export const deleteRevokedKeys = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from api_key t where t.revoked_at < $1 limit $2", "api_key", [before]);

/** Ids of notices that the card processor no longer repeats. */
export const deleteNotices = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from processor_notice t where t.received_at < $1 limit $2", "processor_notice", [
    before,
  ]);

/** Invites that were accepted, revoked or expired. Events record what happened to them. */
export const deleteInvites = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from invite t where t.expires_at < $1 limit $2", "invite", [before]);

/** Attempts to guess passwords of forms. */
export const deleteFormGuesses = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from form_guess t where t.last_at < $1 limit $2", "form_guess", [before]);

export const deleteSessions = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from session t where t.expires_at < $1 limit $2", "session", [before]);

export const deleteSignIns = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from sign_in t where t.expires_at < $1 limit $2", "sign_in", [before]);

/** Mails that were sent, expired or given up. */
export const deleteMails = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from mail t where t.created_at < $1 limit $2", "mail", [before]);

/** Notifications that were read before one time, or written before an earlier one. Their ids begin with their time. */
export async function deleteNotifications(db: Db, readBefore: string, writtenBefore: string): Promise<number> {
  const read = await inBatches(db, "select t.ctid from notification t where t.read_at < $1 limit $2", "notification", [
    readBefore,
  ]);
  const old = await inBatches(db, "select t.ctid from notification t where t.id < $1 limit $2", "notification", [
    firstIdAt(new Date(writtenBefore)),
  ]);
  return read + old;
}

/** The oldest notifications of people who have more than `keep`, as far as they got some since `since`. */
export const deleteExcessNotifications = (db: Db, since: string, keep: number): Promise<number> =>
  inBatches(
    db,
    `with crowded as materialized (
       select r.*, last.id as last_id
       from (select distinct workspace_id, user_id from notification where id > $1) r
       cross join lateral (
         select id from notification where user_id = r.user_id and workspace_id = r.workspace_id
         order by id desc offset $3 limit 1) last)
     select t.ctid from crowded c
     join notification t on t.user_id = c.user_id and t.workspace_id = c.workspace_id and t.id <= c.last_id
     limit $2`,
    "notification",
    [firstIdAt(new Date(since)), String(keep)],
  );

/** Links of old digests. */
export const deleteDigestLinks = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from digest_link t where t.created_at < $1 limit $2", "digest_link", [before]);

/** Runs of automations that have ended, of any automation before one time. Their ids begin with their time. */
export const deleteRuns = (db: Db, before: string): Promise<number> =>
  inBatches(
    db,
    "select t.ctid from automation_run t where t.id < $1 and t.status is not null limit $2",
    "automation_run",
    [firstIdAt(new Date(before))],
  );

/** Runs of automations that were deleted before one time. Those that were deleted before an earlier one have none left. */
export const deleteRunsOfDeleted = (db: Db, before: string, earlier: string): Promise<number> =>
  inBatches(
    db,
    `select t.ctid from automation a join automation_run t on t.automation_id = a.id
     where a.deleted_at < $1 and a.deleted_at >= $3 and t.status is not null limit $2`,
    "automation_run",
    [before, earlier],
  );

/** Agents that automations woke. */
export const deleteWakes = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from agent_wake t where t.id < $1 limit $2", "agent_wake", [
    firstIdAt(new Date(before)),
  ]);

/** What agents were told and can no longer ask for. Goes from agent to agent, along the index of their frames. */
export const deleteAgentFrames = (db: Db, before: string): Promise<number> =>
  inBatches(
    db,
    `select t.ctid from agent_stream s cross join lateral (
       select f.ctid from agent_frame f where f.agent_id = s.agent_id and f.created_at < $1
       order by f.created_at limit $2) t
     limit $2`,
    "agent_frame",
    [before],
  );

/** Reports of usage, of sessions that have ended before one time. Their ids begin with their time. */
export const deleteUsage = (db: Db, before: string): Promise<number> =>
  inBatches(
    db,
    `select t.ctid from agent_usage t join agent_session s on s.id = t.session_id
     where t.id < $1 and s.ended_at < $3 limit $2`,
    "agent_usage",
    [firstIdAt(new Date(before)), before],
  );

/** Calls of keys on days before one time. */
export const deleteKeyUsage = (db: Db, before: string): Promise<number> =>
  inBatches(db, "select t.ctid from api_key_usage t where t.day < $1::date limit $2", "api_key_usage", [
    before.slice(0, 10),
  ]);

/** Expired records of the OAuth provider. */
export const deleteOAuthRecords = (db: Db, now: string): Promise<number> =>
  inBatches(db, "select t.ctid from oauth_record t where t.expires_at < $1 limit $2", "oauth_record", [now]);

/** OAuth clients that registered and were never approved. */
export const deleteUnapprovedClients = (db: Db, before: string): Promise<number> =>
  inBatches(
    db,
    "select t.ctid from oauth_client t where t.approved_at is null and t.created_at < $1 limit $2",
    "oauth_client",
    [before],
  );

/** Revokes OAuth grants that have no code or token left, so that they cannot be used. Returns how many. */
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
