import type { Db, Transaction } from "../../domain/ports.ts";
import type { Claim } from "./idempotency.ts";

/** Rows of idempotency keys, kept for 24 hours. */

export type Stored = { body_hash: Buffer; status: number; reply: string };

// A row older than its lifetime counts as none and is taken over.
const CLAIM = {
  name: "idempotency_claim",
  text: `
    insert into idempotency as i (key_id, method, path, key, body_hash, created_at)
    values ($1, $2, $3, $4, $5, $6::timestamptz)
    on conflict (key_id, method, path, key) do update
      set body_hash = excluded.body_hash, status = null, reply = null, created_at = excluded.created_at
      where i.created_at < excluded.created_at - interval '24 hours'
    returning 1 as taken`,
};

const READ = {
  name: "idempotency_read",
  text: `
    select body_hash, status, reply from idempotency
    where key_id = $1 and method = $2 and path = $3 and key = $4 and created_at >= $5::timestamptz - interval '24 hours'`,
};

const STORE = {
  name: "idempotency_store",
  text: `
    update idempotency set status = $5, reply = $6
    where key_id = $1 and method = $2 and path = $3 and key = $4`,
};

/** Takes the row, waiting for a transaction that holds it; null when it is ours, else what is stored. */
export async function claim(tx: Transaction, wanted: Claim, now: string): Promise<Stored | null> {
  const place = [wanted.keyId, wanted.method, wanted.path, wanted.key];
  const [taken] = await tx.query(CLAIM, [...place, wanted.bodyHash, now]);
  return taken ? null : find(tx, wanted, now);
}

/** What is stored; null when nothing is, or is yet. */
export async function find(db: Db, wanted: Claim, now: string): Promise<Stored | null> {
  const [stored] = await db.query<Stored>(READ, [wanted.keyId, wanted.method, wanted.path, wanted.key, now]);
  return stored ?? null;
}

export async function store(tx: Transaction, wanted: Claim, status: number, reply: string): Promise<void> {
  await tx.query(STORE, [wanted.keyId, wanted.method, wanted.path, wanted.key, status, reply]);
}
