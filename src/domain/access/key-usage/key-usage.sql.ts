import type { Ctx } from "../../kernel/context.ts";
import type { KeyUsage, KeyUsageFlush } from "../../kernel/ports/key-usage.ts";
import type { Db } from "../../kernel/ports/ports.ts";

/**
 * Adds the counts of a slice, of keys that still exist. A row remembers its last slice, and slices are added in the
 * order of their numbers, so adding one again does nothing.
 */
export async function addUsage(db: Db, slice: number, usage: readonly KeyUsage[]): Promise<void> {
  const text = `
    insert into api_key_usage as u
      (key_id, day, requests, client_errors, server_errors, rate_limited, latencies, last_slice)
    select key_id, day, (select sum(n) from unnest(latencies) n), client_errors, server_errors, rate_limited, latencies, $1
    from jsonb_to_recordset($2::jsonb) as r(key_id uuid, day date, client_errors integer, server_errors integer,
                                            rate_limited integer, latencies integer[])
    where exists (select from api_key k where k.id = r.key_id)
    order by key_id, day
    on conflict (key_id, day) do update set
      requests = u.requests + excluded.requests,
      client_errors = u.client_errors + excluded.client_errors,
      server_errors = u.server_errors + excluded.server_errors,
      rate_limited = u.rate_limited + excluded.rate_limited,
      latencies = (
        select array_agg(coalesce(a, 0) + coalesce(b, 0) order by at)
        from unnest(u.latencies, excluded.latencies) with ordinality as t(a, b, at)),
      last_slice = excluded.last_slice
    where u.last_slice < excluded.last_slice`;
  await db.query({ text }, [slice, JSON.stringify(usage)]);
}

/** The days on which a key made calls, in their order. */
export function readUsage(
  ctx: Ctx,
  workspaceId: string,
  keyId: string,
  { from, to }: { from: string; to: string },
): Promise<(Omit<KeyUsage, "key_id"> & { requests: number })[]> {
  const text = `
    select to_char(u.day, 'YYYY-MM-DD') as day, u.requests, u.client_errors, u.server_errors, u.rate_limited, u.latencies
    from api_key k join api_key_usage u on u.key_id = k.id and u.day between $3::date and $4::date
    where k.workspace_id = $1 and k.id = $2
    order by u.day`;
  return ctx.db.query({ text }, [workspaceId, keyId, from, to]);
}

/** Stores counts of a process that stops while the buffer is away. */
export async function keepFlushes(db: Db, flushes: readonly KeyUsageFlush[]): Promise<void> {
  const text = `
    insert into api_key_usage_flush (process, number, usage)
    select process, number, usage from jsonb_to_recordset($1::jsonb) as f(process uuid, number integer, usage jsonb)
    on conflict do nothing`;
  await db.query({ text }, [JSON.stringify(flushes)]);
}

/** Some of the kept flushes, in the order of their processes and numbers. */
export const readFlushes = (db: Db, limit: number): Promise<KeyUsageFlush[]> =>
  db.query<KeyUsageFlush>(
    { text: "select process, number, usage from api_key_usage_flush order by process, number limit $1" },
    [limit],
  );

export async function deleteFlush(db: Db, { process, number }: KeyUsageFlush): Promise<void> {
  await db.query({ text: "delete from api_key_usage_flush where process = $1 and number = $2" }, [process, number]);
}
