import pg from "pg";
import type { Database, Db, Log, Statement, Transaction } from "../domain/kernel/ports/ports.ts";
import { mayWaitForLocks } from "./lock-waits.ts";
import { isOutdated } from "./outdated-plans.ts";
import { Connection, isConnectionLoss, type PooledConnection } from "./postgres-connection.ts";
import { OpenTransaction, runOn } from "./postgres-transaction.ts";
import { getTypeParser } from "./postgres-types.ts";
import { openTenantLimiter } from "./tenant-limiter.ts";

export type PostgresOptions = {
  url: string;
  /** Maximum number of connections. */
  pool: number;
  /** Number of connections that writes leave to reads. Default: none. */
  reads?: number;
  /** Accept a self-signed certificate. */
  noVerify?: boolean;
  /** Shown in pg_stat_activity. */
  name: string;
  limits?: Limits;
  /** How long to wait for a reply before the connection is dropped. Default: longer than Postgres' statement timeout. */
  replyMs?: number;
  /** Settings of each connection, as `-c name=value`. */
  settings?: string;
};

/**
 * Limits in Postgres, in milliseconds: how long a statement waits for a lock, and how long a transaction waits for
 * its next statement.
 */
export type Limits = { lockMs: number; idleMs: number };

const PATIENT: Limits = { lockMs: 5_000, idleMs: 30_000 };

export type Postgres = Database & { close(): Promise<void> };

/** One pool for hand-written statements and entities. */
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
    // If this passes, the other end is gone silently, and the connection is dropped.
    query_timeout: options.replyMs ?? 35_000,
    types: { getTypeParser },
    // Sends statements without waiting for the replies to earlier ones; see OpenTransaction.
    pipeline: true,
    // Limits the locks of an abandoned statement or transaction.
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
  const shortReads = openTenantLimiter(Math.max(1, options.pool - LEFT), { leftByOnlyTenant: LEFT });
  const longReads = openTenantLimiter(LONG_READS);
  const once = <Row>(statement: Statement, values?: readonly unknown[]) =>
    rerun(() =>
      onConnection(pool, (client) => runOn<Row>(client, statement, values)).catch((error) => {
        throw isOutdated(error) ? new Undone("its columns have changed", { cause: error }) : error;
      }),
    );

  return {
    query: (statement, values) =>
      mayWaitForLocks(statement) ? limiter.withSlot(() => once(statement, values)) : once(statement, values),
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

/**
 * Connections that reads of calls leave free for authentication. Of ten connections, the reads of one tenant use six while
 * no other tenant reads, and four otherwise.
 */
const LEFT = 2;
/** Concurrent long reads, of which one tenant may have two. Each may keep ten thousand rows in memory. */
const LONG_READS = 3;

const lockWait = (lockMs: number | null): string => (lockMs === null ? "" : `set local lock_timeout = ${lockMs};`);

/** Runs each statement in its own transaction, with a shorter lock timeout. */
const hasty = (pool: pg.Pool, lockMs: number): Db => ({
  query: (statement, values) =>
    rerun(() =>
      onConnection(pool, (client) => transaction(client, (tx) => tx.query(statement, values), lockWait(lockMs))),
    ),
});

/** In pg, `sslmode` in the URL overrides the certificate option. */
export function withoutSslMode(url: string): string {
  const plain = new URL(url);
  plain.searchParams.delete("sslmode");
  return plain.toString();
}

/** A connection returns to the pool after an error too, unless it was lost. */
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

/** The transaction was rolled back for a reason outside of it. */
class Undone extends Error {}

const UNDONE = new Set(["40001", "40P01"]);
const MAX_RUNS = 3;

async function rerun<T>(attempt: () => Promise<T>): Promise<T> {
  for (let runs = 1; ; runs++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
      if (runs === MAX_RUNS) throw error.cause;
    }
  }
}

/** @throws Undone, or any error of `work`. After a lost commit the outcome is unknown. */
async function transaction<T>(
  client: PooledConnection,
  work: (tx: Transaction) => Promise<T>,
  settings: string,
): Promise<T> {
  const tx = new OpenTransaction(client, settings);
  let committing = false;
  try {
    const result = await work(tx);
    committing = true;
    if (await tx.commit()) return result;
  } catch (thrown) {
    const error = await tx.reasonOf(thrown);
    const lost = isConnectionLoss(error);
    if (lost) client.lost ??= error as Error;
    else if (!committing) await tx.rollBack();
    if ((lost && !committing) || UNDONE.has((error as { code?: string }).code ?? "") || isOutdated(error)) {
      throw new Undone("nothing was kept", { cause: error });
    }
    throw error;
  }
  throw new Error("A statement failed unnoticed, so its transaction was rolled back.");
}
