import { Kysely } from "kysely";
import pg from "pg";
import type { Database, Db, Log, Statement, Transaction } from "../domain/kernel/ports/ports.ts";
import { mayWaitForLocks } from "./lock-waits.ts";
import { Connection, isConnectionLoss, type PooledConnection } from "./postgres-connection.ts";
import { dialectOf } from "./postgres-kysely.ts";
import { getTypeParser } from "./postgres-types.ts";
import { PreparedQuery } from "./prepared-query.ts";
import { openTenantLimiter } from "./tenant-limiter.ts";

export type PostgresOptions = {
  url: string;
  /** Most connections. */
  pool: number;
  /** How many of them writes leave to reads. Default: none. */
  reads?: number;
  /** Accept a self-signed certificate. */
  noVerify?: boolean;
  /** Shown by pg_stat_activity. */
  name: string;
  limits?: Limits;
  /** Settings of each connection, as `-c name=value`. */
  settings?: string;
};

/** How long Postgres lets a statement wait for a lock, and a transaction wait for its next statement; in milliseconds. */
export type Limits = { lockMs: number; idleMs: number };

const PATIENT: Limits = { lockMs: 5_000, idleMs: 30_000 };

export type Postgres = Database & { close(): Promise<void> };

/** One pool for hand-written statements and entities alike. */
export function openPostgres(options: PostgresOptions, log: Log): Postgres {
  const { lockMs, idleMs } = options.limits ?? PATIENT;
  const pool = new pg.Pool({
    Client: Connection,
    connectionString: options.noVerify ? withoutSslMode(options.url) : options.url,
    max: options.pool,
    application_name: options.name,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Longer than Postgres works at a statement: its other end is gone without a word, and the connection is dropped.
    query_timeout: 35_000,
    types: { getTypeParser },
    // An abandoned statement or transaction must not hold locks for ever.
    options: [
      "-c timezone=UTC -c statement_timeout=30000",
      `-c lock_timeout=${lockMs} -c idle_in_transaction_session_timeout=${idleMs}`,
      options.settings ?? "",
    ].join(" "),
    ...(options.noVerify ? { ssl: { rejectUnauthorized: false } } : {}),
  });
  // The pool replaces it.
  pool.on("error", (error) => log.warn({ err: error }, "an idle Postgres connection was lost"));
  const limiter = openTenantLimiter(Math.max(1, options.pool - (options.reads ?? 0)));
  const shortReads = openTenantLimiter(Math.max(1, options.pool - LEFT));
  const longReads = openTenantLimiter(LONG_READS);
  const once = <Row>(statement: Statement, values?: readonly unknown[]) =>
    onConnection(pool, (client) => run<Row>(client, statement, values));

  return {
    query: (statement, values) =>
      mayWaitForLocks(statement) ? limiter.hold(() => once(statement, values)) : once(statement, values),
    write: (work, target) =>
      limiter.run(target, (lockMs) => work(lockMs === null ? { query: once } : hasty(pool, lockMs))),
    transaction: (work, settings = "", target) =>
      limiter.run(target, (lockMs) =>
        rerun(() => onConnection(pool, (client) => transaction(client, work, lockWait(lockMs) + settings))),
      ),
    read: (work, { tenant, long }) => (long ? longReads : shortReads).run({ tenant }, work),
    close: () => pool.end(),
  };
}

/** Connections that the reads of calls leave to what says who calls, so that a tenant's reads hold at most four of ten. */
const LEFT = 2;
/** Long reads at the same time, of which one tenant has at most two: each may keep ten thousand rows in memory. */
const LONG_READS = 3;

const lockWait = (lockMs: number | null): string => (lockMs === null ? "" : `set local lock_timeout = ${lockMs};`);

/** Each statement in a transaction of its own, with a shorter wait for locks. */
const hasty = (pool: pg.Pool, lockMs: number): Db => ({
  query: (statement, values) =>
    rerun(() =>
      onConnection(pool, (client) => transaction(client, (tx) => tx.query(statement, values), lockWait(lockMs))),
    ),
});

/** pg lets `sslmode` in the URL win over what is said about certificates beside it. */
export function withoutSslMode(url: string): string {
  const plain = new URL(url);
  plain.searchParams.delete("sslmode");
  return plain.toString();
}

/** A connection goes back to the pool also after an error, unless it was lost. */
async function onConnection<T>(pool: pg.Pool, work: (client: PooledConnection) => Promise<T>): Promise<T> {
  const client = (await pool.connect()) as PooledConnection;
  try {
    return await work(client);
  } catch (error) {
    if (isConnectionLoss(error)) client.lost ??= error as Error;
    throw error;
  } finally {
    client.release(client.lost);
  }
}

async function run<Row>(client: pg.PoolClient, statement: Statement, values: readonly unknown[] = []) {
  const { name, text } = statement;
  if (!name) return (await client.query(text, values as unknown[])).rows as Row[];
  return new PreparedQuery({ name, text }, values, getTypeParser).run(client) as Promise<Row[]>;
}

/** Nothing of the transaction was kept, and not for its own fault. */
class Undone extends Error {}

const UNDONE = new Set(["40001", "40P01"]);
const MOST_RUNS = 3;

async function rerun<T>(attempt: () => Promise<T>): Promise<T> {
  for (let runs = 1; ; runs++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
      if (runs === MOST_RUNS) throw error.cause;
    }
  }
}

/** @throws Undone, or whatever `work` throws. After a lost commit nobody knows whether it happened. */
async function transaction<T>(
  client: PooledConnection,
  work: (tx: Transaction) => Promise<T>,
  settings: string,
): Promise<T> {
  let committing = false;
  try {
    await client.query(`begin;${settings}`);
    const result = await work(openTransaction(client));
    committing = true;
    const { command } = await client.query("commit");
    // Postgres answers ROLLBACK when a statement had failed and the failure was swallowed.
    if (command === "COMMIT") return result;
  } catch (error) {
    const lost = isConnectionLoss(error);
    if (lost) client.lost ??= error as Error;
    else if (!committing) await rollBack(client);
    if ((lost && !committing) || UNDONE.has((error as { code?: string }).code ?? "")) {
      throw new Undone("nothing was kept", { cause: error });
    }
    throw error;
  }
  throw new Error("A statement failed unnoticed, so its transaction was rolled back.");
}

async function rollBack(client: PooledConnection): Promise<void> {
  await client.query("rollback").catch((error) => {
    client.lost ??= error;
  });
}

function openTransaction(client: pg.PoolClient): Transaction {
  let kysely: Kysely<unknown> | undefined;
  let depth = 0;
  return {
    query: (statement, values) => run(client, statement, values),
    get kysely() {
      kysely ??= new Kysely({ dialect: dialectOf(client) });
      return kysely;
    },
    async savepoint(work) {
      const name = `sp${++depth}`;
      await client.query(`savepoint ${name}`);
      try {
        const result = await work();
        await client.query(`release savepoint ${name}`);
        return result;
      } catch (error) {
        await client.query(`rollback to savepoint ${name}`);
        throw error;
      } finally {
        depth--;
      }
    },
  };
}
