import type { EntityManager, EntityMetadata } from "@mikro-orm/postgresql";
import { MikroORM } from "@mikro-orm/postgresql";
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import { entities as all } from "../domain/entities.ts";
import type { Entities } from "../domain/events/unit-of-work.ts";

/** The entity manager factory. It has no connections of its own; it writes through our transactions. */
export function openEntities(): Entities {
  const orm = discovered();
  return {
    in(tx, workspaceId) {
      const em = orm.em.fork({ clear: true }) as EntityManager;
      em.setTransactionContext(tx.kysely);
      if (workspaceId) em.setFilterParams("workspace", { workspaceId });
      return em;
    },
  };
}

let known: MikroORM | undefined;

/** All that a process opens share what it found out about the entities, which takes twenty milliseconds. */
function discovered(): MikroORM {
  known ??= new MikroORM({
    entities: all,
    dbName: "muster",
    // Every query uses a transaction's connection. Without one there is nothing to run it on.
    driverOptions: noConnections,
    implicitTransactions: false,
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false, onMetadata: beginWithNull },
  });
  return known;
}

/** A new entity has null in columns that nobody set, as it would be read back, and never undefined. */
function beginWithNull({ properties }: EntityMetadata): void {
  for (const column of Object.values(properties)) if (column.nullable) column.onCreate ??= () => null;
}

const noConnections = {
  createAdapter: () => new PostgresAdapter(),
  // The driver is created with the first query, even though that query has its own connection.
  createDriver: () => ({
    init: async () => {},
    acquireConnection: noConnection,
    releaseConnection: noConnection,
    beginTransaction: noConnection,
    commitTransaction: noConnection,
    rollbackTransaction: noConnection,
    destroy: async () => {},
  }),
  createIntrospector: (db: never) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

function noConnection(): never {
  throw new Error("Entities are used inside a unit of work only.");
}
