import type { Db } from "../../kernel/ports/ports.ts";

/** Sign-in requests. They are made before the person is known, so they belong to no workspace. */

export type NewSignInRequest = {
  id: string;
  email: string;
  linkHash: Buffer;
  codeSealed: string;
  browserHash: Buffer;
  /** Network of the requester's IP address; see networkOf. */
  network: string;
  /** Sealed. */
  returnTo: string | null;
  /** Who wants this address, if it is no sign-in. */
  userId?: string;
  now: string;
  expiresAt: string;
};

export async function insertRequest(db: Db, request: NewSignInRequest): Promise<void> {
  await db.query(
    {
      text: `
        insert into sign_in (id, email, link_hash, code_sealed, browser_hash, network, return_to, expires_at, created_at,
                             user_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    },
    [
      request.id,
      request.email,
      request.linkHash,
      request.codeSealed,
      request.browserHash,
      request.network,
      request.returnTo,
      request.expiresAt,
      request.now,
      request.userId ?? null,
    ],
  );
}

/** Counts of earlier requests for the limits on mails and codes. */
export type RequestCounts = {
  /** For the address, from the network, within an hour. */
  byNetwork: number;
  /** For the address, within a day. */
  today: number;
  /** Requests of that day whose code could be or still can be guessed. */
  guessable: number;
  /** When the last live link for the address expires. Null if there is none. Changes of addresses have no link. */
  liveUntil: string | null;
  /** By the network, for all addresses, within an hour. */
  fromNetwork: number;
};

/**
 * Counts earlier requests. It takes a lock per address until the transaction ends, so that concurrent requests are
 * counted one by one.
 */
export async function countRequests(
  db: Db,
  { email, network, now }: { email: string; network: string; now: string },
): Promise<RequestCounts> {
  await db.query({ text: `select pg_advisory_xact_lock(hashtextextended('sign_in ' || lower($1), 0))` }, [email]);
  const [row] = await db.query<RequestCounts>(
    {
      text: `
        select count(*) filter (where network = $2 and created_at > $3::timestamptz - interval '1 hour') as "byNetwork",
               count(*) as today,
               count(*) filter (where used_at is null or wrong_codes > 0) as guessable,
               max(expires_at) filter (where used_at is null and user_id is null and expires_at > $3) as "liveUntil",
               (select count(*) from sign_in
                where network = $2 and created_at > $3::timestamptz - interval '1 hour') as "fromNetwork"
        from sign_in where lower(email) = lower($1) and created_at > $3::timestamptz - interval '1 day'`,
    },
    [email, network, now],
  );
  return row!;
}

export type SignInRequest = {
  email: string;
  /** Sealed. */
  return_to: string | null;
  used_at: string | null;
  created_at: string;
  expires_at: string;
};

export async function findByLink(db: Db, linkHash: Buffer): Promise<SignInRequest | null> {
  const [row] = await db.query<SignInRequest>(
    {
      text: `select email, return_to, used_at, created_at, expires_at from sign_in where link_hash = $1 and user_id is null`,
    },
    [linkHash],
  );
  return row ?? null;
}

/** Marks a link as used. Null if it is used, expired or unknown. Of two concurrent calls, one succeeds. */
export async function takeLink(
  db: Db,
  linkHash: Buffer,
  now: string,
): Promise<Pick<SignInRequest, "email" | "return_to"> | null> {
  const [row] = await db.query<Pick<SignInRequest, "email" | "return_to">>(
    {
      text: `
        update sign_in set used_at = $2 where link_hash = $1 and used_at is null and expires_at > $2 and user_id is null
        returning email, return_to`,
    },
    [linkHash, now],
  );
  return row ?? null;
}

export type RequestOfBrowser = SignInRequest & { id: string; code_sealed: string; wrong_codes: number };

export async function findByBrowser(db: Db, browserHash: Buffer): Promise<SignInRequest | null> {
  const [row] = await db.query<SignInRequest>(
    {
      text: `
        select email, return_to, used_at, created_at, expires_at from sign_in
        where browser_hash = $1 and user_id is null
        order by created_at desc, id desc limit 1`,
    },
    [browserHash],
  );
  return row ?? null;
}

/**
 * The newest request of a browser, locked until the transaction ends, so that concurrent codes are checked one by
 * one.
 */
export async function lockByBrowser(db: Db, browserHash: Buffer): Promise<RequestOfBrowser | null> {
  const [row] = await db.query<RequestOfBrowser>(
    {
      text: `
        select id, email, return_to, used_at, created_at, expires_at, code_sealed, wrong_codes from sign_in
        where browser_hash = $1 and user_id is null order by created_at desc, id desc limit 1 for update`,
    },
    [browserHash],
  );
  return row ?? null;
}

export async function countWrongCode(db: Db, id: string): Promise<void> {
  await db.query({ text: `update sign_in set wrong_codes = wrong_codes + 1 where id = $1` }, [id]);
}

export async function markUsed(db: Db, id: string, now: string): Promise<void> {
  await db.query({ text: `update sign_in set used_at = $2 where id = $1` }, [id, now]);
}
