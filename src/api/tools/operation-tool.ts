import { mayEverCall } from "../engine/access.ts";
import type { Json, Schemas } from "../openapi/schemas.ts";
import { type Arguments, sentBy } from "./arguments.ts";
import type { Answer } from "./budget.ts";
import type { Callable } from "./callable.ts";
import type { Exchange } from "./exchange.ts";
import { inputSchemaOf } from "./input-schema.ts";
import { answerOf } from "./run-operation.ts";
import type { Tool } from "./tool.ts";

export type OperationTool = {
  name: string;
  title: string;
  description: string;
  /** `operationId` of the operation that it calls. */
  operation: string;
  /** Arguments that the tool shows besides those of the path. */
  offers?: readonly string[];
  /** Those of `offers` whose schema is left out, because another tool shows it. */
  brief?: readonly string[];
  /** Fields of what is read, unless the caller asks for others. */
  fields?: string;
  /** Fields that are shown of what was changed. */
  shows?: readonly string[];
  /** An argument besides those of the operation, and what the tool adds to the answer with it. */
  adds?: {
    argument: string;
    schema: Json;
    /** Runs before the operation. @throws Refusal validation_failed */
    check(given: Arguments): void;
    add(exchange: Exchange, given: Arguments, answer: Answer): Promise<Answer>;
  };
};

/** Rows of a page, unless the caller asks for another number. */
export const ROWS = "20";

/** The tool that calls one operation. */
export function operationTool(declared: OperationTool, callable: Callable, schemas: Schemas): Tool {
  const { name, title, description, offers = [], brief = [], fields, shows, adds } = declared;
  const { operation } = callable;
  const inputSchema = inputSchemaOf(operation, schemas, { offers, brief });
  const defaults = {
    ...(operation.shape === "list" ? { limit: ROWS } : {}),
    ...(fields ? { fields } : {}),
  };
  return {
    name,
    title,
    description,
    inputSchema: adds ? withProperty(inputSchema, adds.argument, adds.schema) : inputSchema,
    annotations: {
      readOnlyHint: !operation.writes,
      destructiveHint: operation.method === "DELETE",
      idempotentHint: operation.method !== "POST",
      openWorldHint: false,
    },
    isFor: (runtime, located) => mayEverCall(runtime, operation, located),
    async run(exchange, given: Arguments) {
      const own = adds ? Object.entries(given).filter(([name]) => name !== adds.argument) : Object.entries(given);
      adds?.check(given);
      const sent = sentBy(operation, Object.fromEntries(own));
      const answer = await answerOf(exchange, callable, { ...sent, query: { ...defaults, ...sent.query }, shows });
      return adds ? adds.add(exchange, given, answer) : answer;
    },
  };
}

const withProperty = (schema: Json, name: string, property: Json): Json => ({
  ...schema,
  properties: { ...(schema.properties as Json), [name]: property },
});
