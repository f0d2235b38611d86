import type { Statement } from "../../src/domain/kernel/ports/ports.ts";
import { app } from "./app.ts";

/** Collects the statements that the web process runs during `work`. */
export async function counting<T>(work: () => Promise<T>): Promise<{ result: T; statements: string[] }> {
  const { database } = (await app()).resources;
  const { query } = database;
  const statements: string[] = [];
  database.query = (statement: Statement, values) => {
    // Runs every few seconds, independently of calls.
    if (statement.name !== "key_use") statements.push(statement.name ?? statement.text);
    return query(statement, values);
  };
  try {
    return { result: await work(), statements };
  } finally {
    database.query = query;
  }
}
