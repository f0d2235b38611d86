import pg from "pg";
import { announceBytes } from "./row-parser.ts";

/**
 * A connection whose loss never ends the process. Postgres may end a connection at any moment, also together with the
 * reply to a statement. pg then emits `error`, possibly while neither the pool nor the caller has a listener. The
 * next statement on the connection fails instead.
 */
export class Connection extends pg.Client {
  /** Why it cannot be used any more. */
  lost: Error | undefined;
  /** Whether rows arrive as bytes; see row-parser.ts. */
  readonly hasBytes: boolean;

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.hasBytes = announceBytes((this as unknown as { connection: Parameters<typeof announceBytes>[0] }).connection);
    this.on("error", (error) => {
      this.lost ??= error;
    });
  }
}

export type PooledConnection = Connection & pg.PoolClient;

/**
 * SQLSTATEs with which Postgres ends a connection: class 08, operator intervention except for a cancelled statement,
 * too many connections, and transactions that are idle or running for too long.
 */
const LOST = /^(08...|57P..|53300|25P0[34])$/;

const UNREACHABLE = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** pg's errors without a code. */
const SAID_BY_PG =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|is not queryable/;

/** Whether the connection to Postgres was lost or could not be made. False for a rejected statement. */
export function isConnectionLoss(error: unknown): boolean {
  const { code = "", message = "", severity } = error as { code?: string; message?: string; severity?: string };
  return severity === "FATAL" || LOST.test(code) || UNREACHABLE.has(code) || SAID_BY_PG.test(message);
}
