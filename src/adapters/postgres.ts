import { Kysely } from "kysely";
import pg from "pg";
import type { Database, Log, Statement, Transaction } from "../domain/ports.ts";
import { Connection, isConnectionLoss, type PooledConnection } from "./postgres-connection.ts";
import { dialectOf } from "./postgres-kysely.ts";
import { getTypeParser } from "./postgres-types.ts";
import { PreparedQuery } from "./prepared-query.ts";

export type PostgresOptions = {
  url: string;
  pool: number;
  /** Accept a self-signed certificate. */
  noVerify?: boolean;
  /** Shown by pg_stat_activity. */
  name: string;
};

export type Postgres = Database & { close(): Promise<void> };

/** One pool for hand-written statements and entities alike. */
export function openPostgres(options: PostgresOptions, log: Log): Postgres {
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
    options:
      "-c timezone=UTC -c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000 -c lock_timeout=5000",
    ...(options.noVerify ? { ssl: { rejectUnauthorized: false } } : {}),
  });
  // The pool replaces it.
  pool.on("error", (error) => log.warn({ err: error }, "an idle Postgres connection was lost"));

  return {
    query: (statement, values) => onConnection(pool, (client) => run(client, statement, values)),
    transaction: (work, settings) => onConnection(pool, (client) => transaction(client, work, settings)),
    close: () => pool.end(),
  };
}

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

async function transaction<T>(
  client: PooledConnection,
  work: (tx: Transaction) => Promise<T>,
  settings = "",
): Promise<T> {
  await client.query(`begin;${settings}`);
  const result = await work(openTransaction(client)).catch(async (error) => {
    if (!isConnectionLoss(error)) await rollBack(client);
    throw error;
  });
  const { command } = await client.query("commit");
  // Postgres answers ROLLBACK when a statement had failed and the failure was swallowed.
  if (command !== "COMMIT") throw new Error("A statement failed unnoticed, so its transaction was rolled back.");
  return result;
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
