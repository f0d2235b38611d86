import type { Operation } from "./document.ts";

export { groupName, methodName } from "../../../src/api/openapi/client-names.ts";

/** `ListIssuesQuery`: the type of what has no name in the API description. */
export const typeName = ({ operationId }: Pick<Operation, "operationId">, kind: "Query" | "Body" | "Row" | "Result") =>
  operationId[0]!.toUpperCase() + operationId.slice(1) + kind;
