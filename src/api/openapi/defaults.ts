import type { Json } from "./schemas.ts";

/**
 * Moves the `default` of an input's field into its description. Type generators such as openapi-typescript treat a
 * property with a default as always present, and so make it required in requests.
 */
export function describeDefault(schema: Json): Json {
  if (!("default" in schema)) return schema;
  const { default: preset, description, ...own } = schema;
  return { ...own, description: [description, `Default: \`${textOf(preset)}\`.`].filter(Boolean).join(" ") };
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
