import type { Db, Log } from "../domain/kernel/ports/ports.ts";

export type KeyUse = { note(keyId: string, address: string): void; close(): Promise<void> };

const FLUSH_MS = 5_000;

// A key that a long transaction has locked is skipped, so that it does not delay the others. Its next use counts
// again.
const TOUCH = {
  name: "key_use",
  text: `
    with free as (
      select id from api_key where id = any($1::uuid[]) order by id for no key update skip locked
    )
    update api_key k set last_used_at = greatest(k.last_used_at, u.at), last_used_ip = u.address
    from free join unnest($1::uuid[], $2::timestamptz[], $3::text[]) as u(id, at, address) using (id)
    where k.id = free.id`,
};

/** The last use of keys. Kept in memory and written every few seconds, never during a request. */
export function openKeyUse(db: Db, log: Log): KeyUse {
  let uses = new Map<string, { at: number; address: string }>();

  const flush = async () => {
    if (uses.size === 0) return;
    const taken = uses;
    uses = new Map();
    const ids = [...taken.keys()].sort();
    const rows = ids.map((id) => taken.get(id)!);
    await db
      .query(TOUCH, [ids, rows.map((row) => new Date(row.at).toISOString()), rows.map((row) => row.address)])
      .catch((error) => log.warn({ err: error }, "the last use of keys was not stored"));
  };
  const timer = setInterval(flush, FLUSH_MS);
  timer.unref();

  return {
    note: (keyId, address) => {
      uses.set(keyId, { at: Date.now(), address });
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
