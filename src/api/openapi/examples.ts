import type { Json } from "./schemas.ts";

/**
 * An example of a value: the schema's own, or one composed of the examples of its parts. `resolve` follows
 * references.
 * @throws Error if a part has no example
 */
export function exampleFrom(schema: Json, resolve: (schema: Json) => Json, path = ""): unknown {
  const own = resolve(schema);
  const [example] = (schema.examples ?? own.examples ?? []) as unknown[];
  if (example !== undefined) return example;
  if ("const" in own) return own.const;
  if (own.enum) return (own.enum as unknown[])[0];
  const choices = (own.oneOf ?? own.anyOf) as Json[] | undefined;
  if (choices) return exampleFrom(choices[0]!, resolve, path);
  if (own.properties) {
    const fields = Object.entries(own.properties as Record<string, Json>);
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleFrom(field, resolve, `${path}/${name}`)]));
  }

  const [type] = [own.type].flat();
  if (type === "array") return [exampleFrom(own.items as Json, resolve, `${path}/0`)];
  if (type === "object") return {};
  if (type === "boolean") return false;
  throw new Error(`${path} has no example: add one to the field's description.`);
}
