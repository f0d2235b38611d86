import { firstIdAt } from "../kernel/ids.ts";
import type { Db } from "../kernel/ports/ports.ts";

/** Tables whose rows begin with their time and are kept for a number of days. */
export type PartitionedTable = "event" | "audit_entry";

/** Compressing an event of a few kilobytes would cost as much as storing it. */
const IN_ONE_PIECE = "with (toast_tuple_target = 8160)";

/**
 * Creates a table's partitions of the months around `now` and drops those that ended before the retention time.
 * Safe to run at any time, from several processes at once.
 */
export async function maintainPartitions(
  db: Db,
  table: PartitionedTable,
  now: Date,
  retentionDays: number,
): Promise<{ dropped: string[] }> {
  const first = (months: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  for (let month = -1; month <= 3; month++) {
    const name = `${table}_${first(month).toISOString().slice(0, 7).replace("-", "_")}`;
    await db.query({
      text: `create table if not exists ${name} partition of ${table}
             for values from ('${firstIdAt(first(month))}') to ('${firstIdAt(first(month + 1))}')
             ${table === "event" ? IN_ONE_PIECE : ""}`,
    });
  }

  const partitions = await db.query<{ name: string }>({
    text: `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
           where i.inhparent = '${table}'::regclass and c.relname ~ '^${table}_\\d{4}_\\d{2}$'`,
  });
  const oldest = new Date(now.getTime() - retentionDays * 86_400_000);
  const keepFrom = `${table}_${oldest.toISOString().slice(0, 7).replace("-", "_")}`;
  const dropped = partitions.map((p) => p.name).filter((name) => name < keepFrom);
  for (const name of dropped) await db.query({ text: `drop table if exists ${name}` });
  return { dropped };
}
