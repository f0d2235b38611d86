import { z } from "zod";
import type { Operation } from "../engine/operation.ts";
import { describeDefault } from "./defaults.ts";
import { exampleFrom } from "./examples.ts";
import { mapSchema } from "./map-schema.ts";

/** Zod schemas → JSON Schema 2020-12, which is what OpenAPI 3.1 speaks. Named schemas become components. */

export type Json = { [member: string]: unknown };

/** The schemas of one operation; named ones are references into `components`. `example` is one of what it returns. */
export type OperationSchemas = { body?: Json; query: Json; returns: Json; example: unknown };

export type Schemas = { of(operation: Operation): OperationSchemas; components: Record<string, Json> };

/** @throws Error when one name stands for two different schemas. */
export function schemasOf(operations: readonly Operation[]): Schemas {
  const inputs = convert("input", operations, ["body", "item"]);
  const queries = convert("input", operations, ["query"]);
  const views = convert("output", operations, ["returns"]);
  const components = merge(inputs.named, views.named);
  const resolved = (schema: Json) => components[nameIn(schema) ?? ""] ?? schema;

  // The engine checks the items of a bulk call one by one, so its body leaves them open; readers want to see them.
  for (const { id, item } of operations) {
    if (item) itemsOf(resolved(inputs.of(id, "body"))).items = inputs.of(id, "item");
  }
  return {
    components,
    of: ({ id, body }) => ({
      ...(body ? { body: inputs.of(id, "body") } : {}),
      query: queries.of(id, "query"),
      returns: views.of(id, "returns"),
      example: exampleFrom(views.of(id, "returns"), resolved, id),
    }),
  };
}

const REFERENCE = "#/components/schemas/";

export const referTo = (name: string): Json => ({ $ref: REFERENCE + name });
const nameIn = ({ $ref }: Json) => ($ref as string | undefined)?.slice(REFERENCE.length);

type Part = "body" | "item" | "query" | "returns";

/** One conversion for the schemas of all operations, so that what they share is shared. */
function convert(io: "input" | "output", operations: readonly Operation[], parts: Part[]) {
  const all = operations.flatMap((operation) =>
    parts.flatMap((part) => (operation[part] ? [[`${operation.id} ${part}`, operation[part]] as const] : [])),
  );
  const converted = z.toJSONSchema(z.object(Object.fromEntries(all)), { io, unrepresentable: "any" }) as Json;
  const asShown = (schema: Json) => pointAtComponent(joinNull(simplify(schema, io)));
  const isBody = io === "input" && !parts.includes("query");
  const { properties = {}, $defs = {} } = mapSchema(
    converted,
    isBody ? (schema) => describeDefault(asShown(schema)) : asShown,
  ) as { properties?: Record<string, Json>; $defs?: Record<string, Json> };
  return { named: $defs, of: (id: string, part: Part): Json => properties[`${id} ${part}`] ?? {} };
}

/** Takes out what zod checks but no reader of the document needs. */
function simplify({ ...schema }: Json, io: "input" | "output"): Json {
  // A format says it better than its regular expression.
  if (schema.format === "uuid" || schema.format === "email") delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minLength === 0) delete schema.minLength;
  // Replies grow: clients must accept fields that are new to them.
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
  return schema;
}

/** `anyOf: [{ type: "string" }, { type: "null" }]` → `type: ["string", "null"]`. */
function joinNull(schema: Json): Json {
  const { anyOf, ...own } = schema;
  const [value, none, more] = (anyOf ?? []) as Json[];
  if (more || none?.type !== "null" || typeof value?.type !== "string") return schema;
  // What the field says of itself wins over what its type says.
  const joined = { ...value, ...own, type: [value.type, "null"] };
  return value.enum ? { ...joined, enum: [...(value.enum as unknown[]), null] } : joined;
}

const pointAtComponent = (schema: Json): Json =>
  typeof schema.$ref === "string" ? { ...schema, $ref: schema.$ref.replace("#/$defs/", REFERENCE) } : schema;

function merge(...sets: Record<string, Json>[]): Record<string, Json> {
  const all: Record<string, Json> = {};
  for (const [name, schema] of sets.flatMap(Object.entries) as [string, Json][]) {
    if (all[name] && JSON.stringify(all[name]) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas have the name ${name}; an input needs a name of its own.`);
    }
    all[name] = schema;
  }
  return all;
}

function itemsOf(body: Json): Json {
  const { items } = body.properties as { items?: Json };
  if (!items) throw new Error("The body of a bulk call has an array of items.");
  return items;
}
