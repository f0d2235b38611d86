import type { EntityManager } from "@mikro-orm/postgresql";
import type { Ctx, Writing } from "./context.ts";
import { writeRecorded } from "./events.sql.ts";
import type { Recorded } from "./events.ts";
import type { Database } from "./ports.ts";

/** Makes entity managers that write through a given transaction, limited to one workspace. */
export type Entities = { in(tx: Writing["tx"], workspaceId: string | null): EntityManager };

export type WorkOptions = {
  database: Database;
  entities: Entities;
  /** Tenant of the work; null only where an operator acts above all tenants. */
  workspaceId: string | null;
  /** SET LOCAL statements. */
  settings?: string;
};

/**
 * One transaction: what `work` changes in entities, what it runs as SQL and what it records commit together, or not
 * at all. The relay is woken afterwards.
 */
export async function unitOfWork<Base extends Ctx, T>(
  base: Base,
  options: WorkOptions,
  work: (ctx: Base & Writing) => Promise<T>,
): Promise<T> {
  const recorded: Recorded[] = [];
  const result = await options.database.transaction(async (tx) => {
    let em: EntityManager | undefined;
    const ctx = Object.defineProperty({ ...base, db: tx, tx, recorded }, "em", {
      enumerable: true,
      get: () => {
        em ??= options.entities.in(tx, options.workspaceId);
        return em;
      },
    }) as unknown as Base & Writing;
    const answer = await work(ctx);
    await em?.flush();
    if (recorded.length > 0) await writeRecorded(ctx, recorded);
    return answer;
  }, options.settings);
  base.ports.hint();
  return result;
}
