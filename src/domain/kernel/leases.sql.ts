import { isAlive } from "./liveness.sql.ts";
import type { Db } from "./ports/ports.ts";
import { withRetries } from "./with-retries.ts";

/**
 * Work that is kept in rows. A worker claims a row by moving the time in its lease column, so that no other worker
 * takes it before the lease ends. How the work ended is stored only while the row still has that lease, so a worker
 * that was frozen and comes back after another one took over changes nothing.
 *
 * Each function is one statement and one transaction. Claims skip locked rows. All times are the database's. The SQL is
 * built only from the constants of a declaration.
 */
export type LeaseOptions = {
  /** Begins the names of the prepared statements. Default: the table's name. */
  name?: string;
  table: string;
  key: string;
  keyType?: "uuid" | "text";
  /** Column (timestamptz(3)) with the time from which the row is due; while it is claimed, the end of the lease. */
  lease: string;
  /** SQL condition: there is work left. A partial index on the lease column has the same words. */
  open: string;
  /** SQL condition: no worker has claimed the row, independent of `lease`. For rows that are due from the beginning. */
  unclaimed?: string;
  /** Column with the id of the worker process that claimed the row. The lease also ends when that process dies. */
  process?: string;
  /** SQL expression: the end of a new lease. */
  until: string;
  /** SQL: what else a claim assigns. */
  claiming?: string;
  /** SQL condition on what may be claimed by these values, such as the workspace. */
  only?: string;
  /** Workspaces take turns in claims of several rows. For tables with a `workspace_id`. */
  turns?: boolean;
  /** SQL: the columns that a claim returns. */
  columns: string;
};

/** Due rows among which workspaces take turns. A workspace with more than these delays those that became due later. */
const TURNS_AMONG = 10_000;

/** A claim on a row. It is good for as long as the row has this lease. */
export type Lease = { lease_key: string; lease_until: string };

/** Stores how the work on claimed rows ended. Returns how many rows still had their lease; the others are unchanged. */
export type Conclude = (db: Db, claims: readonly Lease[], ...values: unknown[]) => Promise<number>;

export type Ending =
  | {
      /** SQL: what else is assigned; `$3` and later are the values. */
      set?: string;
      /** SQL expression: when the row is due again. Default: null. */
      due?: string;
      /** SQL statement that runs in the same transaction, over the rows `concluded`. */
      also?: string;
    }
  | { delete: true };

export type LeasedRows<Row> = {
  readonly table: string;
  /** SQL condition: there is work left. */
  readonly open: string;
  /** SQL condition: there is work to do by now, and no worker has a lease on it. */
  readonly due: string;
  /**
   * Claims one row; null if it is not due. `values` are `$2` and later. With `process`, `$2` is the id of this process,
   * which gets nothing unless it counts as alive. If the reply is lost, the row is given back, because no other process
   * could claim it before the lease ends. So a process must not claim a row that it is working on.
   */
  claim(db: Db, key: string, ...values: unknown[]): Promise<(Row & Lease) | null>;
  /**
   * Claims up to `limit` rows that are due, those first that have been due for longest; with `turns`, the first row of each
   * workspace, then the second ones, and so on. `values` as for `claim`.
   */
  claimDue(db: Db, limit: number, ...values: unknown[]): Promise<(Row & Lease)[]>;
  /** Whether there is work left on a row: now, later, or in another worker. */
  isOpen(db: Db, key: string): Promise<boolean>;
  /** Returns up to 1,000 workspaces that have rows to work on by now. For tables with a `workspace_id`. */
  workspacesDue(db: Db): Promise<string[]>;
  /** Declares a way in which work ends: for good, or until it is due again. */
  ending(name: string, ending: Ending): Conclude;
};

/** SQL expression: a time from now, in milliseconds. */
export const inMs = (ms: number | `$${number}`): string => `now() + ${ms} * interval '1 ms'`;

/** Declares rows that workers claim. */
export function leasedRows<Row>(options: LeaseOptions): LeasedRows<Row> {
  const { table, key, lease, open, process, columns } = options;
  const name = options.name ?? table;
  const due = dueIn(options);
  const assigned = [`${lease} = ${options.until}`, process && `${process} = $2`, options.claiming].filter(Boolean);
  const claim = (rows: string) => `
    update ${table} set ${assigned.join(", ")} where ${rows} ${process ? `and ${isAlive("$2")}` : ""}
    returning ${columns}, ${key} as lease_key, ${lease} as lease_until`;
  const claimable = options.only ? `${due} and ${options.only}` : due;
  // An array is made once, before the update; a subquery behind "in" may run again and lock more rows than the limit.
  const claimOne = {
    name: `${name}_claim`,
    text: claim(
      `${key} = any(array(select ${key} from ${table} where ${key} = $1 and ${claimable} for update skip locked))`,
    ),
  };
  const oldest = `select ctid from ${table} where ${claimable} order by ${lease} limit $1 for update skip locked`;
  // In a join, a bare ctid would be that of the row to be updated: every row would match, and the limit would not count.
  const inTurns = `
    select ${table}.ctid from ${table} join (
      select ${key} as turn_key, row_number() over (partition by workspace_id order by ${lease}) as turn
      from (select ${key}, workspace_id, ${lease} from ${table} where ${claimable} order by ${lease} limit ${TURNS_AMONG}) r
    ) turns on turn_key = ${key}
    where ${claimable} order by turn, ${lease} limit $1 for update of ${table} skip locked`;
  const claimSome = {
    name: `${name}_claim_due`,
    text: claim(`ctid = any(array(${options.turns ? inTurns : oldest}))`),
  };
  const giveBack = {
    name: `${name}_give_back`,
    // The column has milliseconds. Rounded up, the row would not be due for an instant.
    text: `
      update ${table} set ${lease} = date_trunc('milliseconds', now()), ${process} = null
      where ${key} = $1 and ${process} = $2 and ${open}`,
  };
  const findOpen = { name: `${name}_open`, text: `select 1 from ${table} where ${key} = $1 and ${open}` };

  return Object.freeze({
    table,
    open,
    due,
    async claim(db: Db, id: string, ...values: unknown[]) {
      const claimed = db.query<Row & Lease>(claimOne, [id, ...values]);
      const [row] = await claimed.catch(async (error) => {
        // If this fails, too, the row is due again when its lease ends.
        if (process) await withRetries(() => db.query(giveBack, [id, values[0]])).catch(() => {});
        throw error;
      });
      return row ?? null;
    },
    claimDue: (db: Db, limit: number, ...values: unknown[]) =>
      limit > 0 ? db.query<Row & Lease>(claimSome, [limit, ...values]) : Promise.resolve([]),
    isOpen: async (db: Db, id: string) => (await db.query(findOpen, [id])).length > 0,
    async workspacesDue(db: Db) {
      const statement = {
        name: `${name}_workspaces_due`,
        text: `select distinct workspace_id from ${table} where ${due} limit 1000`,
      };
      return (await db.query<{ workspace_id: string }>(statement)).map((row) => row.workspace_id);
    },
    ending(ends: string, ending: Ending): Conclude {
      const statement = { name: `${name}_${ends}`, text: concluding(options, ending) };
      return async (db, claims, ...values) => {
        if (claims.length === 0) return 0;
        const [row] = await db.query<{ concluded: number }>(statement, [
          claims.map(({ lease_key }) => lease_key),
          claims.map(({ lease_until }) => lease_until),
          ...values,
        ]);
        return row!.concluded;
      };
    },
  });
}

function dueIn({ open, unclaimed, lease, process }: LeaseOptions): string {
  const ways = [`${lease} <= now()`, unclaimed, process && `(${process} is not null and not ${isAlive(process)})`];
  return `(${open}) and (${ways.filter(Boolean).join(" or ")})`;
}

function concluding({ table, key, keyType = "uuid", lease, process }: LeaseOptions, ending: Ending): string {
  // The first condition is for the index.
  const claimed = `${key} = any($1::${keyType}[])
    and (${key}, ${lease}) in (select * from unnest($1::${keyType}[], $2::timestamptz[]))`;
  const change = "delete" in ending ? `delete from ${table}` : `update ${table} set ${assignedBy(ending).join(", ")}`;
  function assignedBy({ set, due = "null" }: Exclude<Ending, { delete: true }>) {
    return [...(set ? [set] : []), `${lease} = ${due}`, ...(process ? [`${process} = null`] : [])];
  }
  const also = "also" in ending && ending.also ? `, also as (${ending.also})` : "";
  return `with concluded as (${change} where ${claimed} returning *)${also} select count(*)::int as concluded from concluded`;
}
