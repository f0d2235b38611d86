import type { Operation } from "../../src/api/engine/operation.ts";
import type { Json } from "../../src/api/openapi/schemas.ts";
import {
  bodySchema,
  branchesOf,
  type Path,
  propertiesOf,
  replaced,
  resolve,
  type Variant,
  variantsTo,
  withVariants,
} from "./variants.ts";

/** Bodies that must be rejected, derived from the schema of the valid body. */

export type Wrong = { what: string; json: string };

/** One invalid body for every way in which a field can be invalid, each inserted into `good`. */
export function wrongBodies(operation: Operation, good: Json): Wrong[] {
  const creating = operation.method === "POST";
  return wrongsIn(operation, bodySchema(operation), { path: [], variants: [] }, creating).map(
    ({ path, text, what, variants }) => ({
      what: `${what} at /${path.join("/")}${variants.map(({ value }) => ` of ${JSON.stringify(value)}`).join("")}`,
      json: put(good, path, text, variants),
    }),
  );
}

/** A place in a body, and the variants on the way to it. */
export type Place = { path: Path; variants: Variant[] };
/** `text` is raw JSON, so that it can contain values that JavaScript cannot represent. */
type WrongAt = Place & { text: string; what: string };

const VALUES: Record<string, string> = {
  string: '"text"',
  number: "7.5",
  boolean: "true",
  array: '["text"]',
  object: '{"text":1}',
  null: "null",
};

function wrongsIn(operation: Operation, schema: Json, { path, variants }: Place, creating: boolean): WrongAt[] {
  const required = (resolve(schema).required ?? []) as string[];
  return branchesOf(schema).flatMap((branch) => {
    const within = variantsTo(operation, schema, branch, path, variants);
    const needed = [...required, ...((branch.required ?? []) as string[])];
    const at = (part: string | number): Place => ({ path: [...path, part], variants: within });
    const { items } = branch;
    return [
      ...tooMuch(branch, { path, variants }),
      ...Object.entries(propertiesOf(branch)).flatMap(([name, field]) => [
        ...ofWrongType(field, at(name), creating && !needed.includes(name)),
        ...wrongsIn(operation, field, at(name), creating),
      ]),
      ...(items
        ? [...ofWrongType(items as Json, at(0), false), ...wrongsIn(operation, items as Json, at(0), creating)]
        : []),
    ];
  });
}

/** In a create, null stands for an absent field. */
function ofWrongType(schema: Json, place: Place, nullIsAbsent: boolean): WrongAt[] {
  const accepted = typesOf(schema);
  if (accepted === null) return [];
  return Object.entries(VALUES)
    .filter(([type]) => !accepted.includes(type) && !(type === "null" && nullIsAbsent))
    .map(([type, text]) => ({ ...place, text, what: `${type} for ${accepted.join(" or ")}` }));
}

/** The JSON types that a schema accepts; null if it accepts all. */
export function typesOf(schema: Json): string[] | null {
  const { type, anyOf, oneOf } = resolve(schema);
  if (type) return [type].flat().map((name) => (name === "integer" ? "number" : String(name)));
  const branches = (anyOf ?? oneOf) as Json[] | undefined;
  const all = branches?.map(typesOf);
  return all && !all.includes(null) ? (all as string[][]).flat() : null;
}

function tooMuch(schema: Json, place: Place): WrongAt[] {
  if (place.path.length === 0) return [];
  const types = typesOf(schema) ?? [];
  const wrong = (what: string, text: string) => ({ ...place, what, text });
  const { maxLength, maxItems, maximum, minimum, type } = schema as Record<string, number | undefined>;
  return [
    ...(types.includes("string")
      ? [wrong("NUL", '"a\\u0000b"'), wrong("half a surrogate pair", '"a\\ud800b"'), wrong("another half", '"\\udfff"')]
      : []),
    ...(maxLength ? [wrong("too long a text", JSON.stringify("x".repeat(maxLength + 1)))] : []),
    ...(maxItems ? [wrong("too many items", JSON.stringify(Array(maxItems + 1).fill("x")))] : []),
    ...(maximum === undefined ? [] : [wrong("too large a number", String(maximum + 1)), wrong("a huge one", "1e308")]),
    ...(minimum === undefined ? [] : [wrong("too small a number", String(minimum - 1))]),
    ...([type].flat().includes("integer" as never) ? [wrong("a fraction", "1.5")] : []),
  ];
}

const MARK = "\u{10FFFF}";

/** `body` as JSON, with `text` at the path, and with these variants on the way to it. */
export function put(body: Json, path: Path, text: string, variants: readonly Variant[] = []): string {
  const marked = replaced(withVariants(body, variants), path, MARK);
  return JSON.stringify(marked).replace(JSON.stringify(MARK), () => text);
}

const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const deepObject = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

/** Bodies that every call rejects, whatever its fields. */
export function brokenBodies(good: Json): Wrong[] {
  const withField = (field: string) => `{${field},${JSON.stringify(good).slice(1)}`;
  return [
    { what: "half an object", json: '{"title":' },
    { what: "no JSON", json: "title=x" },
    { what: "single quotes", json: "{'title':'x'}" },
    { what: "a raw NUL", json: '{"title":"\0"}' },
    { what: "an array", json: `[${JSON.stringify(good)}]` },
    { what: "a string", json: '"text"' },
    { what: "null", json: "null" },
    { what: "a deep array", json: deep(100_000) },
    { what: "an unknown field", json: withField('"no_such_field":1') },
    { what: "__proto__", json: withField('"__proto__":{"is_admin":true}') },
    { what: "constructor", json: withField('"constructor":{"prototype":{"is_admin":true}}') },
    { what: "toString", json: withField('"toString":1') },
    { what: "an empty name", json: withField('"":1') },
    { what: "NUL in a name", json: withField('"a\\u0000":1') },
    { what: "a deep unknown field", json: withField(`"no_such_field":${deep(100_000)}`) },
    { what: "a deep field with NUL", json: withField(`"no_such_field":[${deep(100_000)},"\\u0000"]`) },
    { what: "a long unknown name", json: withField(`"${"x".repeat(100_000)}":1`) },
    { what: "thousands of unknown fields", json: withField(manyFields(5_000)) },
  ];
}

const manyFields = (count: number) => Array.from({ length: count }, (_, n) => `"f${n}":1`).join(",");

/** Deeply nested values in every field that accepts objects, arrays or anything. */
export function deepBodies(operation: Operation, good: Json): Wrong[] {
  return Object.entries(propertiesOf(bodySchema(operation))).flatMap(([name, schema]) => {
    const types = typesOf(schema) ?? ["array", "object"];
    const values = [
      ...(types.includes("array") ? [deep(100_000), `[${deep(100_000)},"\\u0000"]`] : []),
      ...(types.includes("object") ? [deepObject(100_000), `{"x":${deep(100_000)}}`] : []),
    ];
    return values.map((text, n) => ({ what: `nesting ${n} at /${name}`, json: put(good, [name], text) }));
  });
}
