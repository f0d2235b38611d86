import type { Db } from "../../kernel/ports/ports.ts";

/** Settings belong to a person and not to a workspace, so there is no workspace id here. */

export const FREQUENCIES = ["hourly", "daily"] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** SQL: the time between two digests, from a setting's `frequency`. */
export const PERIOD = "case frequency when 'hourly' then interval '1 hour' else interval '1 day' end";

/**
 * How long after the end of its period a digest is written. Until then, statements that write notifications of the period
 * have committed.
 */
export const DELAY = "interval '1 minute'";

/** How often a person gets digests. Null: never. */
export async function readFrequency(db: Db, userId: string): Promise<Frequency | null> {
  const text = `select frequency from digest_setting where user_id = $1`;
  const [row] = await db.query<{ frequency: Frequency }>({ name: "digest_frequency", text }, [userId]);
  return row?.frequency ?? null;
}

/** Sets how often a person gets digests. The first one comes after a whole period. */
export async function putFrequency(db: Db, userId: string, frequency: Frequency): Promise<void> {
  const text = `
    with wanted as (select $1::uuid as user_id, $2::text as frequency, now() as since),
    next as (select *, since + ${PERIOD} as slot_at from wanted)
    insert into digest_setting (user_id, frequency, since, slot_at, due_at)
    select user_id, frequency, since, slot_at, slot_at + ${DELAY} from next
    on conflict (user_id) do update set
      frequency = excluded.frequency, slot_at = excluded.slot_at, due_at = excluded.due_at, held_by = null
    where digest_setting.frequency <> excluded.frequency`;
  await db.query({ text }, [userId, frequency]);
}

export async function deleteSetting(db: Db, userId: string): Promise<void> {
  await db.query({ text: `delete from digest_setting where user_id = $1` }, [userId]);
}

/** Stores the hash of the token of a link that ends a person's digests. */
export async function insertLink(db: Db, tokenHash: Buffer, userId: string, now: string): Promise<void> {
  const text = `insert into digest_link (token_hash, user_id, created_at) values ($1, $2, $3)`;
  await db.query({ name: "insert_digest_link", text }, [tokenHash, userId, now]);
}

/** The person whose digests a link ends. Null if there is no such link. */
export async function ownerOfLink(db: Db, tokenHash: Buffer): Promise<string | null> {
  const text = `select user_id from digest_link where token_hash = $1`;
  const [row] = await db.query<{ user_id: string }>({ name: "digest_link", text }, [tokenHash]);
  return row?.user_id ?? null;
}
