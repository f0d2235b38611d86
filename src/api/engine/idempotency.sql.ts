import type { Db, Transaction } from "../../domain/kernel/ports/ports.ts";
import { partAt } from "../../domain/kernel/replies/parts.ts";

/** Replies to calls with an Idempotency-Key, kept for 24 hours. */

/** Identifies a call and its body. */
export type CallNames = {
  /** Hash of key, method, path and Idempotency-Key. */
  callId: string;
  bodyId: string;
  /** Number of the call's advisory lock: a signed 64-bit integer as text. */
  lock: string;
  /** The columns that the previous version used. */
  before: { keyId: string; method: string; path: string; key: string };
};

export type Stored = {
  status: number;
  body_id: string | null;
  event_id: string | null;
  content: Buffer | null;
  /** Set if the previous version stored the row: its hash of the body's text, and the sealed reply. */
  text_hash: Buffer | null;
  sealed: string | null;
};

const FIND = {
  name: "idempotency_find",
  text: `
    select current_setting('muster.call_locked', true) = 'true' as locked, stored.*
    from (values (1)) one left join (
      select status, body_id, event_id, content, null::bytea as text_hash, null as sealed
      from idempotent_reply where call_id = $1 and created_at >= $6::timestamptz - interval '24 hours'
      union all
      select status, null, null, null, body_hash, reply
      from idempotency
      where key_id = $2 and method = $3 and path = $4 and key = $5 and status is not null
        and created_at >= $6::timestamptz - interval '24 hours') stored on true`,
};

const INTO = "insert into idempotent_reply (created_at, call_id, body_id, status, part, content, event_id)";
// If a table was not cleaned up in time, it may still contain a reply that is more than a day old.
const REPLACE = `on conflict (call_id, part) do update
  set created_at = excluded.created_at, body_id = excluded.body_id, status = excluded.status,
      content = excluded.content, event_id = excluded.event_id`;

const STORE = { name: "idempotency_store", text: `${INTO} values ($1, $2, $3, $4, $5, $6, null) ${REPLACE}` };

const STORE_BESIDE_EVENT = {
  name: "idempotency_store_beside_event",
  text: `
    ${INTO}
    select $1, $2, $3, $4, $5, $6, e.id from event e
    where e.workspace_id = $7 and e.id = any($8::uuid[]) and e.data = $9::jsonb
    order by e.id limit 1
    ${REPLACE}
    returning 1 as stored`,
};

/**
 * A setting that tries to take the call's advisory lock. It is sent with BEGIN, so it needs no round trip of its own.
 * It must run before the statement that looks for a stored reply, because that statement sees only what was committed
 * before it began.
 */
export const lockCall = ({ lock }: CallNames): string =>
  `select set_config('muster.call_locked', pg_try_advisory_xact_lock(${lock})::text, true)`;

/** Whether this transaction has the call's lock, and the reply stored in the last 24 hours, if any. */
export async function findStored(db: Db, { callId, before }: CallNames, now: string) {
  const { keyId, method, path, key } = before;
  type Row = { locked: boolean | null } & (Stored | { status: null });
  const [row] = await db.query<Row>(FIND, [callId, keyId, method, path, key, now]);
  return { locked: row!.locked === true, stored: row!.status === null ? null : row };
}

export async function store(tx: Transaction, names: CallNames, now: string, status: number, content: Buffer) {
  await tx.query(STORE, [now, names.callId, names.bodyId, status, partAt(now), content]);
}

/** Stores the reply as a reference to one of these events, if one has exactly this data. Returns whether it did. */
export async function storeBesideEvent(
  tx: Transaction,
  names: CallNames,
  now: string,
  status: number,
  content: Buffer,
  event: { workspaceId: string; ids: readonly string[]; data: unknown },
): Promise<boolean> {
  const { workspaceId, ids, data } = event;
  const values = [now, names.callId, names.bodyId, status, partAt(now), content];
  const rows = await tx.query(STORE_BESIDE_EVENT, [...values, workspaceId, ids, JSON.stringify(data)]);
  return rows.length > 0;
}
