import type { Db } from "../../kernel/ports/ports.ts";

/**
 * Records of the OAuth provider, found by the hash of a secret that only its holder knows. These statements have no
 * tenant: the grant of a record determines its workspace.
 */

export type RecordModel = "Interaction" | "AuthorizationCode" | "AccessToken" | "RefreshToken";

export type RecordRow = {
  model: RecordModel;
  hash: Buffer;
  sealed: string;
  expiresAt: string;
  now: string;
};

/** Stores or replaces a record that belongs to no grant yet. */
export async function storeRecord(db: Db, r: RecordRow): Promise<void> {
  await db.query(
    {
      name: "oauth_store_record",
      text: `
        insert into oauth_record (model, hash, payload_sealed, expires_at, created_at) values ($1, $2, $3, $4, $5)
        on conflict (model, hash) do update set payload_sealed = excluded.payload_sealed, expires_at = excluded.expires_at`,
    },
    [r.model, r.hash, r.sealed, r.expiresAt, r.now],
  );
}

/**
 * Stores a code or token of a live grant. It expires with the grant at the latest. Returns false if the grant has
 * ended. The lock on the grant's row makes this statement and a revocation wait for each other, so that no token is
 * stored for a revoked grant.
 */
export async function storeOfGrant(
  db: Db,
  r: RecordRow & { grantId: string; scopes: string[] | null },
): Promise<boolean> {
  const rows = await db.query(
    {
      name: "oauth_store_of_grant",
      text: `
        with live as (
          select id, client_id, expires_at from api_key
          where id = $6 and kind = 'oauth' and revoked_at is null and (expires_at is null or expires_at > $5::timestamptz)
          for share
        ), used as (
          update oauth_client set last_used_at = $5 where $1 = 'AccessToken' and id = (select client_id from live)
        )
        insert into oauth_record (model, hash, grant_id, payload_sealed, scopes, expires_at, created_at)
        select $1, $2, id, $3, $7, least($4::timestamptz, expires_at), $5 from live
        returning 1`,
    },
    [r.model, r.hash, r.sealed, r.expiresAt, r.now, r.grantId, r.scopes],
  );
  return rows.length > 0;
}

/**
 * An unexpired record. `reused` means that it was used before and that this use is suspicious. A refresh token is
 * suspicious if it was used before `quietSince`. A code is suspicious if its tokens were issued already (a client
 * without refresh tokens gets two seconds).
 */
export async function findRecord(
  db: Db,
  model: RecordModel,
  hash: Buffer,
  { now, quietSince }: { now: string; quietSince: string },
): Promise<{ sealed: string; reused: boolean } | null> {
  const [row] = await db.query<{ sealed: string; reused: boolean }>(
    {
      name: "oauth_find_record",
      text: `
        select r.payload_sealed as sealed,
               r.consumed_at is not null and case r.model
                 when 'RefreshToken' then r.consumed_at <= $4::timestamptz
                 else r.consumed_at <= $3::timestamptz - interval '2 seconds' or exists (
                   select from oauth_record t where t.grant_id = r.grant_id and t.model = 'RefreshToken')
               end as reused
        from oauth_record r where r.model = $1 and r.hash = $2 and r.expires_at > $3::timestamptz`,
    },
    [model, hash, now, quietSince],
  );
  return row ?? null;
}

/**
 * Marks a record as used. Returns false if it was used before. Of several concurrent calls, exactly one gets true.
 */
export async function consumeRecord(db: Db, model: RecordModel, hash: Buffer, now: string): Promise<boolean> {
  const rows = await db.query(
    {
      name: "oauth_consume_record",
      text: `
        update oauth_record set consumed_at = $3
        where model = $1 and hash = $2 and consumed_at is null and expires_at > $3::timestamptz returning 1`,
    },
    [model, hash, now],
  );
  return rows.length > 0;
}

export async function deleteRecord(db: Db, model: RecordModel, hash: Buffer): Promise<void> {
  await db.query({ text: `delete from oauth_record where model = $1 and hash = $2` }, [model, hash]);
}

export async function deleteRecordsOfGrants(db: Db, grantIds: string[]): Promise<void> {
  await db.query({ text: `delete from oauth_record where grant_id = any($1)` }, [grantIds]);
}
