import type { Operation } from "../../src/api/engine/operation.ts";
import { exampleFrom } from "../../src/api/openapi/examples.ts";
import { type Json, schemasOf } from "../../src/api/openapi/schemas.ts";
import { operations } from "../../src/api/operations/index.ts";
import { SAMPLE } from "../../src/domain/kernel/described.ts";

/**
 * Objects of several kinds in bodies, such as actions. A test that spoils a parameter of one kind starts from a valid object
 * of this kind, or else the object would be rejected because of its kind.
 */

export type Path = (string | number)[];

/** A valid object of a kind, and where the body has it. */
export type Variant = { path: Path; value: Json };

const schemas = schemasOf(operations);

export const resolve = ({ $ref, ...schema }: Json): Json =>
  $ref ? resolve(schemas.components[($ref as string).replace("#/components/schemas/", "")] as Json) : schema;

export const propertiesOf = (schema: Json) => (schema.properties ?? {}) as Record<string, Json>;

/** The JSON schema of an operation's body, or of a bulk call's items. */
export function bodySchema(operation: Operation): Json {
  const body = resolve(schemas.of(operation).body ?? {});
  return operation.item ? resolve((propertiesOf(body).items as Json).items as Json) : body;
}

/** The branches of a union; the schema itself if it is none. */
export function branchesOf(schema: Json): Json[] {
  const own = resolve(schema);
  return ((own.anyOf ?? own.oneOf ?? [own]) as Json[]).map(resolve);
}

/** Whether a branch is one of several kinds of objects, which a field with a constant tells apart. */
const isVariant = (schema: Json, branch: Json) =>
  (resolve(schema).oneOf as unknown[] | undefined)?.length !== undefined &&
  Object.values(propertiesOf(branch)).some((field) => "const" in resolve(field));

/**
 * The variants on the way to a branch.
 * @param before those on the way to the union
 * @throws Error if no valid object of the kind can be made of the examples of its parameters
 */
export function variantsTo(operation: Operation, schema: Json, branch: Json, path: Path, before: Variant[]): Variant[] {
  if (!isVariant(schema, branch)) return before;
  const value = [...candidates(branch)].find((one) => isValid(operation, [...before, { path, value: one }]));
  const kind = Object.values(propertiesOf(branch)).map((field) => resolve(field).const);
  if (!value) throw new Error(`${operation.id}: the examples make no valid ${kind.join("")} at /${path.join("/")}.`);
  return [...before, { path, value }];
}

/** An object with its required fields alone, and with one or two more. */
function* candidates(branch: Json): Generator<Json> {
  const required = (branch.required ?? []) as string[];
  const all = propertiesOf(branch);
  const of = (names: string[]) => Object.fromEntries(names.map((name) => [name, exampleOf(all[name]!)]));
  const optional = Object.keys(all).filter((name) => !required.includes(name));
  yield of(required);
  for (const name of optional) yield of([...required, name]);
  for (const name of optional) for (const other of optional) yield of([...required, name, other]);
}

/** An object with its required fields alone. */
const minimal = (object: Json): Json =>
  Object.fromEntries(
    ((object.required ?? []) as string[]).map((name) => [name, exampleOf(propertiesOf(object)[name]!)]),
  );

const TIMES: Record<string, string> = { date: "2026-01-15", "date-time": "2026-01-15T09:30:00.000Z" };

/** Ids, counts and times need no example in inputs. */
function exampleOf(field: Json): unknown {
  const { type, format, anyOf, examples = field.examples, enum: values, const: only } = resolve(field);
  if ([examples, values, only].some((given) => given !== undefined))
    return exampleFrom({ ...field, examples }, resolve);
  if (anyOf) return exampleOf((anyOf as Json[])[0]!);
  if ([type].flat()[0] === "integer") return 1;
  if ([type].flat()[0] === "object") return minimal(resolve(field));
  if ([type].flat()[0] !== "string") return exampleFrom(field, resolve);
  return (format && TIMES[format as string]) || SAMPLE.other;
}

function isValid({ body, item, example }: Operation, variants: Variant[]): boolean {
  const good = item ? (example as { items: Json[] }).items[0]! : (example as Json);
  return (item ?? body!).safeParse(withVariants(good, variants)).success;
}

/** A body with these variants in their places. */
export const withVariants = (body: Json, variants: readonly Variant[]): Json =>
  variants.reduce<Json>((given, { path, value }) => replaced(given, path, value) as Json, body);

/** A value with another one at a path. Lists on the way keep one element. */
export function replaced(value: unknown, [part, ...rest]: Path, by: unknown): unknown {
  if (part === undefined) return by;
  if (typeof part === "number") return [replaced(Array.isArray(value) ? value[part] : undefined, rest, by)];
  return { ...(value as object), [part]: replaced((value as Json | undefined)?.[part], rest, by) };
}
