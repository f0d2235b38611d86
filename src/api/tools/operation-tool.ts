import { mayEverCall } from "../engine/access.ts";
import { type Arguments, sentBy } from "./arguments.ts";
import type { Callable } from "./callable.ts";
import { inputSchemaOf } from "./input-schema.ts";
import { runOperation } from "./run-operation.ts";
import type { Tool } from "./tool.ts";

export type OperationTool = {
  name: string;
  title: string;
  description: string;
  /** `operationId` of the operation that it calls. */
  operation: string;
  /** Arguments that the tool shows besides those of the path. */
  offers?: readonly string[];
  /** Fields of each row of a list, unless the caller asks for others. */
  fields?: string;
};

/** Rows of a page, unless the caller asks for another number. */
const ROWS = "20";

/** The tool that calls one operation. */
export function operationTool(
  { operation: id, offers = [], fields, ...shown }: OperationTool,
  callable: Callable,
): Tool {
  const { operation } = callable;
  const defaults = {
    ...(operation.shape === "list" ? { limit: ROWS } : {}),
    ...(fields ? { fields } : {}),
  };
  return {
    ...shown,
    inputSchema: inputSchemaOf(operation, offers),
    annotations: {
      readOnlyHint: !operation.writes,
      destructiveHint: operation.method === "DELETE",
      idempotentHint: operation.method !== "POST",
      openWorldHint: false,
    },
    isFor: (runtime, located) => mayEverCall(runtime, operation, located),
    run(exchange, given: Arguments) {
      const sent = sentBy(operation, given);
      return runOperation(exchange, callable, { ...sent, query: { ...defaults, ...sent.query } });
    },
  };
}
