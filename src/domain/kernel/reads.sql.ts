import type { Database, Db } from "./ports/ports.ts";

/**
 * Reads of a call that are scheduled one by one, fairly among all tenants. So the call keeps nobody out while it waits
 * for something else.
 */
export const readsOneByOne = (database: Pick<Database, "query" | "read">, tenant: string): Db => ({
  query: (statement, values) => database.read(() => database.query(statement, values), { tenant, long: false }),
});
