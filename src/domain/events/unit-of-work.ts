import type { EntityManager } from "@mikro-orm/postgresql";
import type { AuditEntry } from "../kernel/audit-entry.ts";
import type { Ctx, Writing } from "../kernel/context.ts";
import { localPorts } from "../kernel/ports/local-ports.ts";
import { COMMITTED, type Database, type Transaction, type WriteTarget } from "../kernel/ports/ports.ts";
import { present } from "../kernel/present.sql.ts";
import type { Recorded } from "../kernel/recorded.ts";
import type { Workspace } from "../kernel/rows.ts";
import { writeAudit } from "./audit/write.sql.ts";
import { writeRecorded } from "./events.sql.ts";

/** Makes entity managers that write through a given transaction, limited to one workspace. */
export type Entities = { in(tx: Writing["tx"], workspaceId: string | null): EntityManager };

export type WorkOptions = {
  database: Database;
  entities: Entities;
  /** Tenant of the work. null only if an operator works on all tenants. */
  workspaceId: string | null;
  /** What the write may have to wait for. Default: other writes of its workspace. */
  target?: Omit<WriteTarget, "tenant">;
  /** Statements that are sent with BEGIN. */
  settings?: string | undefined;
};

/**
 * One transaction. Changes of entities, SQL, recorded events and audit entries commit together or not at all. `work` may run several
 * times; see `Database.transaction`. The relay is woken after the commit.
 * @param last runs after all of this is written, before the commit
 */
export async function unitOfWork<Base extends Ctx, T>(
  base: Base,
  options: WorkOptions,
  work: (ctx: Base & Writing) => Promise<T>,
  last?: (ctx: Base & Writing, answer: T) => Promise<void>,
): Promise<T> {
  let after: ((ports: Ctx["ports"]) => void)[] = [];
  const attempt = async (tx: Transaction) => {
    const recorded: Recorded[] = [];
    const audited: AuditEntry[] = [];
    after = [(ports) => ports.publish(COMMITTED, options.workspaceId ?? "")];
    let em: EntityManager | undefined;
    let now = base.now;
    const waited = (changedAt?: string) => {
      now = [now, changedAt ? justAfter(changedAt) : "", base.ports.clock()].sort().at(-1)!;
    };
    const afterCommit: Writing["afterCommit"] = (work) => void after.push(work);
    const db = "workspace" in base ? present(tx, base.workspace as Workspace) : tx;
    const written = { ports: localPorts(base.ports), db, tx, recorded, audited, eventIds: [], waited, afterCommit };
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
    if (audited.length > 0) await writeAudit(tx, audited);
    await last?.(ctx, answer);
    return answer;
  };
  const result = await options.database.transaction(attempt, options.settings, targetOf(options));
  for (const work of after) work(base.ports);
  return result;
}

/** The next millisecond. An ETag contains the time of the last change, so two changes of a row must differ in it. */
export const justAfter = (instant: string): string => new Date(Date.parse(instant) + 1).toISOString();

/** Work outside all workspaces, such as signing in, counts as one tenant. */
const targetOf = ({ workspaceId, target }: WorkOptions): WriteTarget =>
  workspaceId === null ? { tenant: "people" } : { tenant: workspaceId, resource: workspaceId, ...target };
