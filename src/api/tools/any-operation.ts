import { z } from "zod";
import { own } from "../../domain/kernel/own.ts";
import { closest } from "../../domain/kernel/text.ts";
import { fieldsOf } from "../engine/encode.ts";
import { describeOperation } from "../openapi/describe.ts";
import { mapSchema } from "../openapi/map-schema.ts";
import { type Json, schemasOf } from "../openapi/schemas.ts";
import { type Arguments, pathValue, queryOf, refuseArgument, textOrNone, underNames } from "./arguments.ts";
import { type Answer, cutToSize, fits } from "./budget.ts";
import { paymentHeaders } from "./buy-credits.ts";
import type { Callable } from "./callable.ts";
import { identifyCaller } from "./exchange.ts";
import { partOf } from "./more.ts";
import { notATool, operationIndex } from "./operation-index.ts";
import { ROWS } from "./operation-tool.ts";
import { answerOf } from "./run-operation.ts";
import type { Tool } from "./tool.ts";

/** The tools that reach every operation: find one, describe it, call it. */
export const anyOperation = (callables: ReadonlyMap<string, Callable>): Tool[] => [
  findOperation(callables),
  describeAnOperation(callables),
  callOperation(callables),
];

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const OPERATION = { type: "string", description: "As find_operation shows it, such as `createMilestone`." };
const everybody = () => true;

/** Operations that one answer shows. */
const FOUND = 15;

const NOTHING_FOUND =
  "None of the operations that your scopes and role allow has these words. Try other words, or no query to list all.";

function findOperation(callables: ReadonlyMap<string, Callable>): Tool {
  const find = operationIndex(callables.values());
  return {
    name: "find_operation",
    title: "Find an operation",
    description: "Finds operations of the whole API that you may call, by words such as `add label`.",
    inputSchema: {
      type: "object",
      properties: { query: { type: "string", description: "Empty for all." }, cursor: { type: "string" } },
    },
    annotations: READS,
    isClosed: true,
    isFor: everybody,
    async run(exchange, { query, cursor }) {
      const located = await identifyCaller(exchange);
      const found = find((textOrNone("query", query) ?? "").slice(0, 200), exchange.runtime, located);
      const from = Number(/^\d{1,4}$/.exec(textOrNone("cursor", cursor) ?? "0")?.[0] ?? 0);
      const end = from + FOUND;
      return {
        data: found.slice(from, end).map(shownOf),
        pagination: { next_cursor: end < found.length ? String(end) : null },
        ...(found.length === 0 ? { hint: NOTHING_FOUND } : {}),
      };
    },
  };
}

const shownOf = ({ id, operation }: Callable) => {
  const instead = notATool(operation);
  const { summary, method, path } = operation;
  return { operation: id, summary, method, path, ...(instead ? { not_callable: instead } : {}) };
};

function describeAnOperation(callables: ReadonlyMap<string, Callable>): Tool {
  // Making one takes ten milliseconds.
  const made = new Map<Callable, Described>();
  const described = (callable: Callable): Described => {
    const data = made.get(callable) ?? descriptionOf(callable);
    made.set(callable, data);
    return data;
  };
  return {
    name: "describe_operation",
    title: "Describe an operation",
    description: "What an operation takes and returns: path, query, body with an example, and errors.",
    inputSchema: {
      type: "object",
      properties: {
        operation: OPERATION,
        schema: { type: "string", description: "One of `schema_names`, which a long description has." },
        more: { type: "string" },
      },
      required: ["operation"],
    },
    annotations: READS,
    isClosed: true,
    isFor: everybody,
    async run(exchange, { operation, schema, more }) {
      await identifyCaller(exchange);
      const data = described(named(callables, operation));
      const answer = schema === undefined ? shortened(data) : { data: schemaIn(data, schema) };
      const token = textOrNone("more", more);
      return token === undefined ? cutToSize(answer, true) : partOf(answer, token);
    },
  };
}

/** A long description names its schemas only. */
function shortened({ schemas, ...data }: Described): Answer {
  const whole = { data: { ...data, schemas } };
  return fits(whole) ? whole : { data: { ...data, schema_names: Object.keys(schemas) } };
}

const schemaIn = ({ schemas }: Described, name: unknown): Json =>
  own(schemas, String(name)) ??
  refuseArgument("schema", "not_allowed", `must be one of ${Object.keys(schemas).join(", ")}`);

type Described = Json & { schemas: Record<string, Json> };

/** The parts of the API description that concern an operation. Schemas refer to `schemas`. */
function descriptionOf({ operation, id }: Callable): Described {
  const schemas = schemasOf([operation]);
  const ofThis = schemas.of(operation);
  const { description, responses } = describeOperation(operation, ofThis);
  const { body, query } = ofThis;
  const instead = notATool(operation);
  return {
    operation: id,
    summary: operation.summary,
    description,
    ...(instead ? { not_callable: instead } : {}),
    method: operation.method,
    path: operation.path,
    ...(query.properties ? { query: mapSchema(query, withoutExamples) } : {}),
    ...(body ? { body, example: { body: operation.example ?? {} } } : {}),
    ...(operation.shape === "list" ? { paging: "query.limit and query.cursor" } : {}),
    returns: { shape: operation.shape, fields: fieldsOf(operation.returns) },
    statuses: Object.keys(responses as object).map(Number),
    schemas: Object.fromEntries(
      [...usedBy({ body, query }, schemas.components)].map(([name, one]) => [name, mapSchema(one, withoutExamples)]),
    ),
  };
}

/** The example of the body shows enough. */
const withoutExamples = ({ examples: _, ...schema }: Json): Json => schema;

/** The named schemas that a schema refers to, directly or through others. */
function usedBy(schema: unknown, components: Record<string, Json>): Map<string, Json> {
  const used = new Map<string, Json>();
  const visit = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([\w.-]+)"/g)) {
      const found = own(components, name!);
      if (!found || used.has(name!)) continue;
      used.set(name!, found);
      visit(found);
    }
  };
  visit(schema);
  return used;
}

function callOperation(callables: ReadonlyMap<string, Callable>): Tool {
  const object = (description: string) => ({ type: "object", description });
  return {
    name: "call_operation",
    title: "Call an operation",
    description: "Calls any operation. describe_operation shows what it takes. The workspace is filled in.",
    inputSchema: {
      type: "object",
      properties: {
        operation: OPERATION,
        path: object("Parameters of the path, such as `key` and `issueKey`."),
        query: object("Parameters of the query; for lists also `cursor`, `limit` and `fields`."),
        body: object("Fields of the body."),
        idempotency_key: { type: "string", description: "For changes, as in other tools." },
        payment: { type: "string", description: "For purchases, as in `buy_credits`." },
        more: { type: "string", description: "`more` of a cut answer, to read on." },
      },
      required: ["operation"],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    isClosed: true,
    isFor: everybody,
    async run(exchange, given: Arguments) {
      const callable = named(callables, given.operation);
      const { operation } = callable;
      const instead = notATool(operation);
      if (instead) refuseArgument("operation", "not_allowed", `cannot be called here. ${instead}`);
      const query = queryOf(Object.entries(objectIn(given, "query")));
      return answerOf(exchange, callable, {
        params: pathOf(callable, objectIn(given, "path")),
        query: operation.shape === "list" ? { limit: ROWS, ...query } : query,
        body: objectIn(given, "body"),
        idempotencyKey: textOrNone("idempotency_key", given.idempotency_key),
        headers: paymentHeaders(given.payment),
        more: operation.writes ? undefined : textOrNone("more", given.more),
      });
    },
  };
}

const Members = z.record(z.string(), z.unknown());

function objectIn(given: Arguments, name: string): Record<string, unknown> {
  const value = own(given, name) ?? {};
  return Members.safeParse(value).data ?? refuseArgument(name, "type", "must be an object");
}

function pathOf({ operation }: Callable, sent: Record<string, unknown>): Record<string, string> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const given = underNames(operation, new Set(names), sent);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    refuseArgument(`path/${unknown.slice(0, 100)}`, "not_allowed", `is not in the path ${operation.path}`);
  }
  const needed = names.filter((name) => name !== "slug" || given.slug !== undefined);
  return Object.fromEntries(needed.map((name) => [name, pathValue(`path/${name}`, own(given, name))]));
}

/** @throws Refusal validation_failed if there is no such operation */
function named(callables: ReadonlyMap<string, Callable>, id: unknown): Callable {
  const callable = callables.get(String(id));
  if (callable) return callable;
  const meant = typeof id === "string" && id.length <= 100 ? closest(id, [...callables.keys()]) : undefined;
  const hint = meant ? ` Did you mean ${meant}?` : " find_operation finds them.";
  refuseArgument("operation", "not_allowed", `is not the name of an operation.${hint}`);
}
