import type { Db } from "../ports.ts";

/** Wishes to sign in. They are made before anybody is known, so they belong to no workspace. */

export type NewWish = {
  id: string;
  email: string;
  linkHash: Buffer;
  codeSealed: string;
  browserHash: Buffer;
  /** Sealed. */
  returnTo: string | null;
  now: string;
  expiresAt: string;
};

/** Keeps a wish, unless there were `most` for the address since `since`. False: there were. */
export async function insertWish(db: Db, wish: NewWish, limit: { most: number; since: string }): Promise<boolean> {
  // Taken before the next statement looks, so that wishes for one address that come at once are counted one by one.
  await db.query({ text: `select pg_advisory_xact_lock(hashtextextended('sign_in ' || lower($1), 0))` }, [wish.email]);
  const rows = await db.query(
    {
      text: `
        insert into sign_in (id, email, link_hash, code_sealed, browser_hash, return_to, expires_at, created_at)
        select $1, $2, $3, $4, $5, $6, $7, $8
        where (select count(*) from sign_in where lower(email) = lower($2) and created_at > $9) < $10
        returning 1`,
    },
    [
      wish.id,
      wish.email,
      wish.linkHash,
      wish.codeSealed,
      wish.browserHash,
      wish.returnTo,
      wish.expiresAt,
      wish.now,
      limit.since,
      limit.most,
    ],
  );
  return rows.length > 0;
}

export type Wish = {
  email: string;
  /** Sealed. */
  return_to: string | null;
  used_at: string | null;
  expires_at: string;
};

export async function findWishByLink(db: Db, linkHash: Buffer): Promise<Wish | null> {
  const [row] = await db.query<Wish>(
    { text: `select email, return_to, used_at, expires_at from sign_in where link_hash = $1` },
    [linkHash],
  );
  return row ?? null;
}

/** Uses a link up. Null when it is used, over or unknown: of two that come at once, one gets it. */
export async function takeLink(
  db: Db,
  linkHash: Buffer,
  now: string,
): Promise<Pick<Wish, "email" | "return_to"> | null> {
  const [row] = await db.query<Pick<Wish, "email" | "return_to">>(
    {
      text: `
        update sign_in set used_at = $2 where link_hash = $1 and used_at is null and expires_at > $2
        returning email, return_to`,
    },
    [linkHash, now],
  );
  return row ?? null;
}

export type WishOfBrowser = Wish & { id: string; code_sealed: string; wrong_codes: number };

export async function findWishByBrowser(db: Db, browserHash: Buffer): Promise<Wish | null> {
  const [row] = await db.query<Wish>(
    {
      text: `
        select email, return_to, used_at, expires_at from sign_in where browser_hash = $1
        order by created_at desc, id desc limit 1`,
    },
    [browserHash],
  );
  return row ?? null;
}

/** The newest wish of a browser, held until the transaction ends: codes tried at once are tried one by one. */
export async function lockWishByBrowser(db: Db, browserHash: Buffer): Promise<WishOfBrowser | null> {
  const [row] = await db.query<WishOfBrowser>(
    {
      text: `
        select id, email, return_to, used_at, expires_at, code_sealed, wrong_codes from sign_in
        where browser_hash = $1 order by created_at desc, id desc limit 1 for update`,
    },
    [browserHash],
  );
  return row ?? null;
}

/** How many wrong codes were tried for an address, by anybody. */
export async function countWrongCodes(db: Db, email: string, since: string): Promise<number> {
  const [row] = await db.query<{ wrong: number }>(
    {
      text: `
        select coalesce(sum(wrong_codes), 0)::int as wrong from sign_in
        where lower(email) = lower($1) and created_at > $2`,
    },
    [email, since],
  );
  return row?.wrong ?? 0;
}

export async function countWrongCode(db: Db, id: string): Promise<void> {
  await db.query({ text: `update sign_in set wrong_codes = wrong_codes + 1 where id = $1` }, [id]);
}

export async function markUsed(db: Db, id: string, now: string): Promise<void> {
  await db.query({ text: `update sign_in set used_at = $2 where id = $1` }, [id, now]);
}
