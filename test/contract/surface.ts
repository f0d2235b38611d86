import { operationIdOf } from "../../src/api/openapi/operation-id.ts";
import type { Json } from "../../src/api/openapi/schemas.ts";
import { operations } from "../../src/api/operations/index.ts";
import { ERRORS } from "../../src/domain/error-catalogue.ts";

/**
 * What clients can rely on, in a form that can be compared with that of an earlier release: a line for each operation,
 * parameter, field, event and error.
 */
export type Surface = {
  /** `POST /v1/…` by operation id, with its scope, its status and its deprecation. */
  operations: Record<string, { call: string; scope: string; since?: string; sunset?: string }>;
  /** What clients send, by `IssueCreateInput.title` or `listIssues query.status`. */
  inputs: Record<string, Field>;
  /** What clients get, by `Issue.title`. */
  outputs: Record<string, Field>;
  events: string[];
  /** HTTP status by code. */
  errors: Record<string, number>;
};

export type Field = {
  /** JSON types, formats, and names of other objects, sorted. */
  type: string[];
  enum?: string[];
  required?: true;
  deprecated?: true;
} & Partial<Record<Bound, number>>;

export const BOUNDS = ["minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"] as const;
type Bound = (typeof BOUNDS)[number];

/** The surface of an API description. */
export function surfaceOf(document: Json): Surface {
  const components = document.components as Record<string, Record<string, Json>>;
  const inputs: Record<string, Field> = {};
  const outputs: Record<string, Field> = {};
  /** Adds the fields of a schema, and of the objects that it names. */
  function add(to: Record<string, Field>, path: string, schema: Json): void {
    for (const name of refsIn(schema)) {
      if (to[`${name}.`]) continue;
      to[`${name}.`] = fieldOf(components.schemas![name]!, false);
      add(to, name, components.schemas![name]!);
    }
    const required = (schema.required ?? []) as string[];
    for (const [name, field] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
      put(to, `${path}.${name}`, fieldOf(field, required.includes(name)));
      add(to, `${path}.${name}`, field);
    }
    for (const part of parts(schema)) add(to, path, part);
    if (schema.items) add(to, `${path}[]`, schema.items as Json);
  }

  const paths = Object.values(document.paths as Record<string, Record<string, Json>>);
  for (const call of paths.flatMap(Object.values) as Json[]) {
    const id = call.operationId as string;
    for (const one of call.parameters as Json[]) {
      const { name, in: place, schema, required } = resolved(one, components.parameters!);
      // Paths are part of the operation, and the headers are the same everywhere.
      if (place === "query") inputs[`${id} query.${name}`] = fieldOf(schema as Json, required === true);
    }
    add(inputs, `${id} body`, jsonOf(call.requestBody as Json | undefined));
    for (const [status, reply] of Object.entries(call.responses as Record<string, Json>)) {
      add(outputs, `${id} ${status}`, jsonOf(resolved(reply, components.responses!)));
    }
  }
  for (const [name, { post }] of Object.entries(document.webhooks as Record<string, { post: Json }>)) {
    add(outputs, name, jsonOf(post.requestBody as Json));
  }
  return {
    operations: Object.fromEntries(
      operations.map(({ method, path, scope, deprecated, ...operation }) => [
        operationIdOf({ method, ...operation }),
        {
          call: `${method} ${path}`,
          scope: scope ?? "any",
          ...(deprecated ? { since: deprecated.since } : {}),
          ...(deprecated?.sunset ? { sunset: deprecated.sunset } : {}),
        },
      ]),
    ),
    inputs,
    outputs,
    events: Object.keys(document.webhooks as Json).sort(),
    errors: Object.fromEntries(ERRORS.map(({ code, status }) => [code, status])),
  };
}

/** Adds a field. In a union, objects of several kinds may have a field of that name. */
function put(to: Record<string, Field>, path: string, { type, enum: values, ...field }: Field): void {
  const known = to[path];
  const union = (a: string[] = [], b: string[] = []) => [...new Set([...a, ...b])].sort();
  const allowed = known && !(known.enum && values) ? undefined : union(known?.enum, values);
  to[path] = {
    type: union(known?.type, type),
    ...(allowed && allowed.length > 0 ? { enum: allowed } : {}),
    ...field,
  };
  if (known && !known.required) delete to[path].required;
}

const SCHEMAS = "#/components/schemas/";

const parts = (schema: Json) => [schema.anyOf, schema.oneOf, schema.allOf].flat().filter(Boolean) as Json[];

/** Names of the objects that a schema is, but not those of its fields. */
const refsIn = (schema: Json): string[] => [
  ...(typeof schema.$ref === "string" ? [schema.$ref.slice(SCHEMAS.length)] : []),
  ...parts(schema).flatMap(refsIn),
];

function resolved(one: Json, among: Record<string, Json>): Json {
  return typeof one.$ref === "string" ? among[one.$ref.split("/").at(-1)!]! : one;
}

function jsonOf(message: Json | undefined): Json {
  const content = (message?.content ?? {}) as Record<string, { schema: Json }>;
  return (content["application/json"] ?? content["application/problem+json"])?.schema ?? {};
}

function fieldOf(schema: Json, required: boolean): Field {
  const known = enumOf(schema);
  const bounds = BOUNDS.flatMap((bound) =>
    typeof schema[bound] === "number" ? [[bound, schema[bound]] as const] : [],
  );
  return {
    type: [...new Set(typesOf(schema))].sort(),
    ...(known.length > 0 ? { enum: known.sort() } : {}),
    ...(required ? { required } : {}),
    ...(schema.deprecated ? { deprecated: true as const } : {}),
    ...Object.fromEntries(bounds),
  };
}

function typesOf(schema: Json): string[] {
  if (typeof schema.$ref === "string") return [schema.$ref.slice(SCHEMAS.length)];
  if ("const" in schema) return [JSON.stringify(schema.const)];
  const inside = parts(schema).flatMap(typesOf);
  const format = schema.format ? `(${schema.format})` : "";
  const own = [schema.type ?? []].flat().map((type) => (type === "null" ? "null" : `${type}${format}`));
  const items = schema.items ? typesOf(schema.items as Json).join("|") : "";
  return [...inside, ...own.map((type) => (type === "array" && items ? `array of ${items}` : type))];
}

const enumOf = (schema: Json): string[] => [
  ...((schema.enum ?? []) as unknown[]).filter((value) => value !== null).map(String),
  ...parts(schema).flatMap(enumOf),
];
