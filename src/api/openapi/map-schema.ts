import type { Json } from "./schemas.ts";

/**
 * Changes a JSON Schema and all schemas inside it, innermost first. Values of `examples` and the like are not
 * schemas.
 */
export function mapSchema(schema: Json, change: (schema: Json) => Json): Json {
  const within = (name: string, value: unknown): unknown => {
    if (BY_NAME.has(name)) {
      const schemas = Object.entries(value as Record<string, Json>);
      return Object.fromEntries(schemas.map(([key, one]) => [key, mapSchema(one, change)]));
    }
    if (LISTS.has(name)) return (value as Json[]).map((one) => mapSchema(one, change));
    return SINGLE.has(name) && typeof value === "object" ? mapSchema(value as Json, change) : value;
  };
  return change(Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, within(name, value)])));
}

const BY_NAME = new Set(["properties", "$defs"]);
const LISTS = new Set(["anyOf", "oneOf", "allOf"]);
const SINGLE = new Set(["items", "additionalProperties", "propertyNames"]);
