import { Kysely } from "kysely";
import type { Statement, Transaction } from "../domain/kernel/ports/ports.ts";
import type { PooledConnection } from "./postgres-connection.ts";
import { dialectOf } from "./postgres-kysely.ts";
import { getTypeParser } from "./postgres-types.ts";
import { runPrepared } from "./prepared-query.ts";

/**
 * The statements of one transaction. Connections send each statement at once (`pipeline` of pg), and Postgres answers in
 * order. So statements whose rows nobody waits for share a trip with the next one: BEGIN with the first statement,
 * writes with COMMIT. Each trip saved is one less during which others wait for the locks.
 */
export class OpenTransaction implements Transaction {
  readonly #client: PooledConnection;
  readonly #settings: string;
  #begun = false;
  #depth = 0;
  #isOver = false;
  /** What was sent and is not answered yet. */
  #sent: Promise<unknown>[] = [];
  /** Why a statement failed. Statements after it fail only because of it. */
  #failure: { error: unknown } | null = null;
  #kysely: Kysely<unknown> | undefined;

  constructor(client: PooledConnection, settings: string) {
    this.#client = client;
    this.#settings = settings;
    // Copies of a transaction, with some methods replaced, work as well.
    this.query = this.query.bind(this);
    this.send = this.send.bind(this);
    this.savepoint = this.savepoint.bind(this);
  }

  get kysely(): Kysely<unknown> {
    const query = (text: string, values: unknown[]) => this.#submit(() => this.#client.query(text, values));
    this.#kysely ??= new Kysely({ dialect: dialectOf({ query }) });
    return this.#kysely;
  }

  async query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> {
    try {
      return await this.#submit(() => runOn<Row>(this.#client, statement, values));
    } catch (error) {
      throw await this.reasonOf(error);
    }
  }

  send(statement: Statement, values?: readonly unknown[]): void {
    this.#submit(() => runOn(this.#client, statement, values)).catch(() => {});
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    await this.#answered();
    const name = `sp${++this.#depth}`;
    this.#submit(() => this.#client.query(`savepoint ${name}`)).catch(() => {});
    try {
      const result = await work();
      await this.#answered();
      await this.#submit(() => this.#client.query(`release savepoint ${name}`));
      return result;
    } catch (error) {
      const reason = await this.reasonOf(error);
      await Promise.all(this.#sent);
      this.#failure = null;
      await this.#submit(() => this.#client.query(`rollback to savepoint ${name}`));
      throw reason;
    } finally {
      this.#depth--;
    }
  }

  /** Sends COMMIT behind what was sent. Returns whether anything was to commit, and Postgres committed it. */
  async commit(): Promise<boolean> {
    if (!this.#begun) return true;
    const committed = this.#submit(() => this.#client.query("commit"));
    this.#isOver = true;
    const { command } = await committed;
    // Postgres answers ROLLBACK if a statement failed.
    if (command === "COMMIT") return true;
    await this.#answered();
    return false;
  }

  async rollBack(): Promise<void> {
    this.#isOver = true;
    if (!this.#begun) return;
    await this.#client.query("rollback").catch((error) => {
      this.#client.lost ??= error;
    });
  }

  /**
   * After a failure Postgres refuses all further statements, and says only that an earlier one failed. Its error, which is
   * returned here, may arrive at the same moment.
   */
  async reasonOf(error: unknown): Promise<unknown> {
    if (!isAborted(error)) return error;
    await Promise.all(this.#sent);
    return this.#failure ? this.#failure.error : error;
  }

  /** Waits for what was sent. @throws the error of the first one that failed */
  async #answered(): Promise<void> {
    await Promise.all(this.#sent);
    if (this.#failure) throw this.#failure.error;
  }

  /** What is sent without a wait in between leaves in one packet, which starts with BEGIN. */
  #submit<T>(send: () => Promise<T>): Promise<T> {
    // One of several reads at once may have failed, and another one goes on. It would now run outside of the transaction,
    // or in that of the connection's next user.
    if (this.#isOver) return Promise.reject(new Error("The transaction is over."));
    const { stream } = (this.#client as unknown as { connection: { stream: Corked } }).connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    this.#begin();
    return this.#noted(send());
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#noted(this.#client.query(`begin;${this.#settings}`)).catch((error) => {
      // What follows would run outside the transaction.
      this.#client.lost ??= error;
    });
  }

  /** Keeps the first error. */
  #noted<T>(running: Promise<T>): Promise<T> {
    const ended = running.then(
      () => {},
      (error) => {
        if (!isAborted(error)) this.#failure ??= { error };
      },
    );
    this.#sent.push(ended);
    void ended.then(() => {
      this.#sent = this.#sent.filter((one) => one !== ended);
    });
    return running;
  }
}

/**
 * "current transaction is aborted, commands ignored until end of transaction block". Or "prepared statement does not
 * exist", if it was to be prepared by a statement before this one, which failed for that reason.
 */
const isAborted = (error: unknown) => ["25P02", "26000"].includes((error as { code?: string } | undefined)?.code ?? "");

type Corked = { cork(): void; uncork(): void };

/** Runs one statement on a connection. */
export async function runOn<Row>(
  client: PooledConnection,
  { name, text, asTexts }: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  if (!name) return (await client.query(text, values as unknown[])).rows as Row[];
  return runPrepared(client, asTexts ? { name, text, asTexts } : { name, text }, values, getTypeParser) as Promise<
    Row[]
  >;
}
