import type { EntityManager } from "@mikro-orm/postgresql";
import type { Ctx, Writing } from "../kernel/context.ts";
import { localPorts } from "../kernel/ports/local-ports.ts";
import { COMMITTED, type Database, type Transaction, type WriteTarget } from "../kernel/ports/ports.ts";
import type { Recorded } from "../kernel/recorded.ts";
import { writeRecorded } from "./events.sql.ts";

/** Makes entity managers that write through a given transaction, limited to one workspace. */
export type Entities = { in(tx: Writing["tx"], workspaceId: string | null): EntityManager };

export type WorkOptions = {
  database: Database;
  entities: Entities;
  /** Tenant of the work; null only where an operator acts above all tenants. */
  workspaceId: string | null;
  /** What the write probably waits for. Default: others of its workspace. */
  target?: Omit<WriteTarget, "tenant">;
  /** Sent with BEGIN. */
  settings?: string | undefined;
};

/**
 * One transaction: what `work` changes in entities, what it runs as SQL and what it records commit together, or not
 * at all. `work` may run several times, as Database.transaction says. The relay is woken afterwards.
 * @param last runs when all of that is written, before the commit
 */
export async function unitOfWork<Base extends Ctx, T>(
  base: Base,
  options: WorkOptions,
  work: (ctx: Base & Writing) => Promise<T>,
  last?: (ctx: Base & Writing, answer: T) => Promise<void>,
): Promise<T> {
  let after: (() => void)[] = [];
  const attempt = async (tx: Transaction) => {
    const recorded: Recorded[] = [];
    after = [() => base.ports.publish(COMMITTED)];
    let em: EntityManager | undefined;
    let now = base.now;
    const waited = (changedAt?: string) => {
      now = [now, changedAt ? justAfter(changedAt) : "", base.ports.clock()].sort().at(-1)!;
    };
    const afterCommit = (work: () => void) => void after.push(work);
    const written = { ports: localPorts(base.ports), db: tx, tx, recorded, eventIds: [], waited, afterCommit };
    const ctx = Object.defineProperties(
      { ...base, ...written },
      {
        now: { enumerable: true, get: () => now },
        em: {
          enumerable: true,
          get: () => {
            em ??= options.entities.in(tx, options.workspaceId);
            return em;
          },
        },
      },
    ) as unknown as Base & Writing;
    const answer = await work(ctx);
    await em?.flush();
    if (recorded.length > 0) await writeRecorded(ctx, recorded);
    await last?.(ctx, answer);
    return answer;
  };
  const result = await options.database.transaction(attempt, options.settings, targetOf(options));
  for (const work of after) work();
  return result;
}

/** The next millisecond: no two changes of a row have the same time, which its ETag is made from. */
const justAfter = (instant: string): string => new Date(Date.parse(instant) + 1).toISOString();

/** What people do beside all workspaces, such as signing in, has one share of the connections. */
const targetOf = ({ workspaceId, target }: WorkOptions): WriteTarget =>
  workspaceId === null ? { tenant: "people" } : { tenant: workspaceId, resource: workspaceId, ...target };
