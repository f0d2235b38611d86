import { MikroORM } from "@mikro-orm/postgresql";
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import type { EntityManager } from "@mikro-orm/postgresql";
import { entities as all } from "../domain/entities.ts";
import type { Entities } from "../domain/unit-of-work.ts";

/** The entity manager factory. It has no connections of its own: it writes through transactions that we open. */
export function openEntities(): Entities {
  const orm = new MikroORM({
    entities: all,
    dbName: "muster",
    // Every query carries a transaction's connection; without one there is nothing to run it on.
    driverOptions: noConnections,
    implicitTransactions: false,
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
  });
  return {
    in(tx, workspaceId) {
      const em = orm.em.fork({ clear: true }) as EntityManager;
      em.setTransactionContext(tx.kysely);
      if (workspaceId) em.setFilterParams("workspace", { workspaceId });
      return em;
    },
  };
}

const noConnections = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => {
    throw new Error("Entities are used inside a unit of work only.");
  },
  createIntrospector: (db: never) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};
