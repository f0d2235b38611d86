import type { Json } from "./schemas.ts";

/**
 * Moves the `default` of each field of an input into its description. Type generators such as openapi-typescript take a
 * property with a default for one that is always there, and so make it required of callers.
 */
export function describeDefaults(schema: Json): Json {
  const { default: preset, ...own } = schema;
  const inner = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, withinSchema(name, value)]));
  if (!("default" in schema)) return inner;
  return { ...inner, description: [own.description, `Default: \`${textOf(preset)}\`.`].filter(Boolean).join(" ") };
}

/** Members of a schema that hold schemas; others, such as `examples`, hold values. */
function withinSchema(name: string, value: unknown): unknown {
  if (name === "properties" || name === "$defs") {
    const schemas = Object.entries(value as Record<string, Json>);
    return Object.fromEntries(schemas.map(([field, schema]) => [field, describeDefaults(schema)]));
  }
  if (name === "items" || name === "additionalProperties") return isSchema(value) ? describeDefaults(value) : value;
  if (name === "anyOf" || name === "oneOf") return (value as Json[]).map(describeDefaults);
  return value;
}

const isSchema = (value: unknown): value is Json => typeof value === "object" && value !== null;

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
