import { z } from "zod";
import type { EventDefinition } from "../../domain/events/define-event.ts";
import { MessageView } from "../../domain/events/message-view.ts";
import type { Operation } from "../engine/operation.ts";
import { describeDefault } from "./defaults.ts";
import { exampleFrom } from "./examples.ts";
import { mapSchema } from "./map-schema.ts";

/** Converts Zod schemas to JSON Schema 2020-12, the dialect of OpenAPI 3.1. Named schemas become components. */

export type Json = { [member: string]: unknown };

/**
 * The schemas of one operation. Named ones are references into `components`. `frame`: of an event of its stream.
 * `example` is an example of the reply's view.
 */
export type OperationSchemas = { body?: Json; query: Json; returns: Json; frame: Json; example: unknown };

/** The schemas of a webhook's message, and an example of it. */
export type EventSchemas = { data: Json; message: Json };

export type Schemas = {
  of(operation: Operation): OperationSchemas;
  ofEvent(event: EventDefinition): EventSchemas;
  components: Record<string, Json>;
};

/** The schemas of operations and of event payloads. @throws Error if two different schemas have the same name */
export function schemasOf(operations: readonly Operation[], events: readonly EventDefinition[] = []): Schemas {
  const inputs = convert("input", partsOf(operations, ["body", "item"]), describeDefault);
  const queries = convert("input", partsOf(operations, ["query"]));
  const payloads = Object.fromEntries(events.map((event) => [keyOf(event), event.view]));
  const frames = Object.fromEntries(
    operations.flatMap(({ id, streams }) => (streams ? [[`${id} frame`, streams.frame]] : [])),
  );
  const views = convert("output", {
    ...partsOf(operations, ["returns"]),
    ...frames,
    ...payloads,
    message: MessageView,
  });
  const components = merge(inputs.named, views.named);
  const resolved = (schema: Json) => components[nameIn(schema) ?? ""] ?? schema;

  // The engine validates the items of a bulk call one by one, so its body schema does not contain them. The document
  // shows them.
  for (const { id, item } of operations) {
    if (item) itemsOf(resolved(inputs.of(`${id} body`))).items = inputs.of(`${id} item`);
  }
  return {
    components,
    of: ({ id, body }) => ({
      ...(body ? { body: inputs.of(`${id} body`) } : {}),
      query: queries.of(`${id} query`),
      returns: views.of(`${id} returns`),
      frame: views.of(`${id} frame`),
      example: exampleFrom(views.of(`${id} returns`), resolved, id),
    }),
    ofEvent(event) {
      const data = views.of(keyOf(event));
      const envelope = exampleFrom(views.of("message"), resolved, "message") as Json;
      return { data, message: { ...envelope, type: event.name, data: exampleFrom(data, resolved, event.name) } };
    },
  };
}

const REFERENCE = "#/components/schemas/";

export const referTo = (name: string): Json => ({ $ref: REFERENCE + name });
/** The name of a schema that is a reference. */
export const nameIn = ({ $ref }: Json) => ($ref as string | undefined)?.slice(REFERENCE.length);

type Part = "body" | "item" | "query" | "returns";

const partsOf = (operations: readonly Operation[], parts: Part[]): Record<string, z.ZodType> =>
  Object.fromEntries(
    operations.flatMap((operation) =>
      parts.flatMap((part) => (operation[part] ? [[`${operation.id} ${part}`, operation[part]] as const] : [])),
    ),
  );

const keyOf = ({ name }: EventDefinition) => `${name} event`;

/** Converts many schemas at once, so that shared schemas stay shared. `finish` changes each schema inside. */
function convert(
  io: "input" | "output",
  all: Record<string, z.ZodType>,
  finish: (schema: Json) => Json = (schema) => schema,
) {
  const converted = z.toJSONSchema(z.object(all), { io, unrepresentable: "any" }) as Json;
  const asShown = (schema: Json) => pointAtComponent(joinNull(simplify(schema, io)));
  const { properties = {}, $defs = {} } = mapSchema(converted, (schema) => finish(asShown(schema))) as {
    properties?: Record<string, Json>;
    $defs?: Record<string, Json>;
  };
  return { named: $defs, of: (key: string): Json => properties[key] ?? {} };
}

/** Removes checks that readers of the document do not need. */
function simplify({ ...schema }: Json, io: "input" | "output"): Json {
  // The format makes the regular expression redundant.
  if (schema.format === "uuid" || schema.format === "email") delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minLength === 0) delete schema.minLength;
  // Each branch has the type and a format, which also bounds the length.
  if (schema.anyOf && schema.type === "string") {
    delete schema.type;
    delete schema.maxLength;
  }
  // Replies may get new fields, so clients must accept unknown ones.
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
  return schema;
}

/** `anyOf: [{ type: "string" }, { type: "null" }]` → `type: ["string", "null"]`. A null beside an `anyOf` becomes part of it. */
function joinNull(schema: Json): Json {
  const { anyOf, ...own } = schema;
  const [value, none, more] = (anyOf ?? []) as Json[];
  if (more || none?.type !== "null") return schema;
  if (value?.anyOf) return { ...value, ...own, anyOf: [...(value.anyOf as Json[]), none] };
  if (typeof value?.type !== "string") return schema;
  // The field's own description wins over that of its type.
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
