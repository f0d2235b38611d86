import type { Operation } from "../engine/operation.ts";
import { operationIdOf } from "../openapi/operation-id.ts";

/** An operation as tools call it. */
export type Callable = {
  operation: Operation;
  /** Its `operationId` in the API description. */
  id: string;
  /** The GET operation of the same path. */
  reading: Operation | null;
};

/** All operations by the `operationId` of the API description. */
export function callablesOf(operations: readonly Operation[]): ReadonlyMap<string, Callable> {
  const readings = new Map(operations.filter(({ method }) => method === "GET").map((one) => [one.path, one]));
  return new Map(
    operations.map((operation) => {
      const id = operationIdOf(operation);
      return [id, { operation, id, reading: readings.get(operation.path) ?? null }];
    }),
  );
}
