import type { DatabaseConnection, Driver, QueryResult } from "kysely";
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import pg from "pg";
import type { Database, Log, Statement, Transaction } from "../domain/ports.ts";
import { PreparedQuery } from "./prepared-query.ts";

export type PostgresOptions = {
  url: string;
  pool: number;
  /** Accept a self-signed certificate. */
  noVerify?: boolean;
  /** Shown by pg_stat_activity. */
  name: string;
};

export type Postgres = Database & { close(): Promise<void>; waiting(): number };

/** One pool for hand-written statements and entities alike. */
export function openPostgres(options: PostgresOptions, log: Log): Postgres {
  const pool = new pg.Pool({
    connectionString: options.noVerify ? withoutSslMode(options.url) : options.url,
    max: options.pool,
    application_name: options.name,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types: { getTypeParser },
    // An abandoned statement or transaction must not hold locks for ever.
    options:
      "-c timezone=UTC -c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000 -c lock_timeout=5000",
    ...(options.noVerify ? { ssl: { rejectUnauthorized: false } } : {}),
  });
  // A connection that dies while idle would otherwise end the process; the pool replaces it.
  pool.on("error", (error) => log.warn({ err: error }, "an idle Postgres connection was lost"));

  return {
    query: (statement, values) => run(pool, statement, values),
    transaction: (work, settings) => transaction(pool, work, settings),
    waiting: () => pool.waitingCount,
    close: () => pool.end(),
  };
}

/** pg lets `sslmode` in the URL win over what is said about certificates beside it. */
export function withoutSslMode(url: string): string {
  const plain = new URL(url);
  plain.searchParams.delete("sslmode");
  return plain.toString();
}

async function run<Row>(target: pg.Pool | pg.PoolClient, statement: Statement, values: readonly unknown[] = []) {
  const { name, text } = statement;
  if (!name) return (await target.query(text, values as unknown[])).rows as Row[];
  return new PreparedQuery({ name, text }, values, getTypeParser).run(target) as Promise<Row[]>;
}

async function transaction<T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>, settings = ""): Promise<T> {
  const client = await pool.connect();
  // pg-pool takes its own listener off a client it hands out; without one, a lost connection ends the process.
  const ignore = () => {};
  client.on("error", ignore);
  let broken: Error | undefined;
  try {
    await client.query(`begin;${settings}`);
    try {
      const result = await work(openTransaction(client));
      await client.query("commit");
      return result;
    } catch (error) {
      await client.query("rollback").catch((failure) => {
        broken = failure;
      });
      throw error;
    }
  } catch (error) {
    if (isConnectionLoss(error)) broken = error as Error;
    throw error;
  } finally {
    client.off("error", ignore);
    client.release(broken);
  }
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

/** Lets the entity manager write through a connection that already is in a transaction of ours. */
function dialectOf(client: pg.PoolClient) {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: { sql: string; parameters: readonly unknown[] }): Promise<QueryResult<R>> {
      const result = await client.query(query.sql, query.parameters as unknown[]);
      return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) };
    },
    streamQuery() {
      throw new Error("Entities are not streamed.");
    },
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: async () => {},
    commitTransaction: async () => {},
    rollbackTransaction: async () => {},
    destroy: async () => {},
  };
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

const TIMESTAMPTZ = 1184;
const INT8 = 20;
const NUMERIC = 1700;
const UUID_LIST = 2951;

// biome-ignore lint/suspicious/noExplicitAny: pg types its parsers so
const parsers = new Map<number, any>([
  [TIMESTAMPTZ, rfc3339],
  [INT8, Number],
  [NUMERIC, Number],
  [UUID_LIST, uuidList],
]);

/** Asked for every column of every reply, so the answer is remembered. Replies come as text only. */
function getTypeParser(oid: number) {
  let parser = parsers.get(oid);
  if (!parser) {
    parser = pg.types.getTypeParser(oid);
    parsers.set(oid, parser);
  }
  return parser;
}

/** `2026-01-02 03:04:05.67+00`, as Postgres writes it in UTC, to `2026-01-02T03:04:05.670Z`: half the cost of a Date. */
export function rfc3339(text: string): string {
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`;
  const fraction = text.charCodeAt(19) === 46 ? text.slice(20, -3) : "";
  return `${seconds}.${fraction.slice(0, 3).padEnd(3, "0")}Z`;
}

/** `{a,b}` of uuids, which need no quoting and hold no nulls: a tenth of the cost of the general parser. */
function uuidList(text: string): string[] {
  return text === "{}" ? [] : text.slice(1, -1).split(",");
}

/** Whether Postgres went away, as opposed to refusing the statement. */
export function isConnectionLoss(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (
    code?.startsWith("08") ||
    code?.startsWith("57P") ||
    ["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"].includes(code ?? "")
  ) {
    return true;
  }
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    message ?? "",
  );
}
