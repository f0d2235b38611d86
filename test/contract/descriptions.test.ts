import { expect, test } from "vitest";
import { z } from "zod";
import { unwrap } from "../../src/api/engine/bounds.ts";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import type { Json } from "../../src/api/openapi/schemas.ts";
import { operations } from "../../src/api/operations/index.ts";
import { ERRORS } from "../../src/domain/error-catalogue.ts";
import { notAllowed, violations } from "./conformance.ts";

/** The API description of every field, and its examples. */

const document = openApiDocument(operations, "https://muster.test");
const callOf = ({ path, method }: { path: string; method: string }) =>
  (document.paths as Record<string, Record<string, Json>>)[path]![method.toLowerCase()] as Json;

const jsonOf = (content: unknown) => (content as Record<string, Json>)["application/json"] as Json | undefined;

/** All schemas of the document with their locations. The envelope of a reply is not a field of an object. */
function* allSchemas(): Generator<[string, Json]> {
  const { schemas } = document.components as { schemas: Record<string, Json> };
  for (const [name, schema] of Object.entries(schemas)) yield* within(name, schema);
  for (const operation of operations) {
    const { requestBody, responses } = callOf(operation) as { requestBody?: Json; responses: Record<string, Json> };
    const body = requestBody && jsonOf(requestBody.content);
    if (body) yield* within(`${operation.id} body`, body.schema as Json);
    for (const { content } of Object.values(responses)) {
      const reply = jsonOf(content ?? {})?.schema as Json | undefined;
      const data = (reply?.properties as Record<string, Json> | undefined)?.data;
      if (data) yield* within(`${operation.id} reply`, data);
    }
  }
}

function* within(path: string, schema: Json): Generator<[string, Json]> {
  yield [path, schema];
  for (const [name, field] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
    yield* within(`${path}.${name}`, field);
  }
  for (const part of [schema.anyOf, schema.oneOf, schema.allOf].flat() as (Json | undefined)[]) {
    if (part) yield* within(path, part);
  }
  if (schema.items) yield* within(`${path}[]`, schema.items as Json);
}

test("every field has a description of several words", () => {
  const vague = [...allSchemas()].flatMap(([path, { properties = {} }]) =>
    Object.entries(properties as Record<string, Json>)
      .filter(([, { description }]) => !/^\S+( \S+)+[.)]$/.test((description as string | undefined) ?? ""))
      .map(([name, { description }]) => `${path}.${name}: ${description}`),
  );
  expect(vague).toEqual([]);
});

/** Words that say nothing about a field: those of grammar, of formats, and those that only name a field in other words. */
const EMPTY = new Set(
  `a an and any are as at be by each for from has have if in into is it its more no none not null of on one only or other
   that the their them there these they this to was were when which who whom whose with your
   amount field id ids key kind name number object of title type value
   character characters default markdown rrggbb up uuidv7`.split(/\s+/),
);
const wordsOf = (text: string) => text.toLowerCase().match(/[a-z]\w*/g) ?? [];

// A time says all with its name: when something happened.
test("no description only repeats the names of its field and object", () => {
  const repeated = [...allSchemas()].flatMap(([path, { properties = {} }]) => {
    const object = path.replace(/([A-Z])/g, " $1");
    return Object.entries(properties as Record<string, Json>).flatMap(([name, { description }]) => {
      const known = [...wordsOf(object), ...wordsOf(name.replaceAll("_", " "))];
      const said = wordsOf(String(description)).filter(
        (word) => !EMPTY.has(word) && !known.some((one) => one.startsWith(word) || word.startsWith(one)),
      );
      return said.length === 0 && !/(^|_)at$|^timestamp$/.test(name) ? [`${path}.${name}: ${description}`] : [];
    });
  });
  expect(repeated).toEqual([]);
});

test("every parameter has a description", () => {
  const shared = Object.values((document.components as { parameters: Record<string, Json> }).parameters);
  const own = operations.flatMap((operation) => callOf(operation).parameters as Json[]).filter(({ $ref }) => !$ref);
  expect([...shared, ...own].filter(({ description }) => !description)).toEqual([]);
});

test("the parameter `fields` is described for calls that accept it, and not for streams", () => {
  const reads = operations.filter(({ writes }) => !writes);
  for (const operation of reads) {
    const described = (callOf(operation).parameters as Json[]).some(({ $ref }) => String($ref).endsWith("/Fields"));
    expect(described, operation.id).toBe(!operation.streams);
  }
});

test("every example of a field matches its schema", () => {
  const wrong = [...allSchemas()].flatMap(([path, schema]) =>
    // Codes are a catalogue, not values of a body.
    ((schema.examples ?? []) as unknown[]).flatMap((example) => violations(schema, example, path)),
  );
  expect(wrong).toEqual([]);
});

test("every call that changes something says what it does besides its summary", () => {
  const silent = operations.filter(({ writes, about }) => writes && !about).map(({ id }) => id);
  expect(silent).toEqual([]);
});

test("descriptions are sentences, and name only calls and fields that exist", () => {
  const paths = operations.map(({ method, path }) => `${method} ${path}`);
  const isPath = (named: string) => paths.some((path) => matches(path, named));
  for (const { id, about = "", summary } of operations) {
    expect(summary, id).toMatch(/^[A-Z].*[^.]$/);
    if (about) expect(about, id).toMatch(/^\S.*[.)]$/);
    const named = [...about.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) [^`]*\/[^`]*)`/g)].map(([, call]) => call!);
    expect(
      named.filter((call) => !isPath(call)),
      id,
    ).toEqual([]);
    const codes = [...about.matchAll(/\b4\d\d `(\w+)`/g)].map(([, code]) => code!);
    expect(
      codes.filter((code) => !ERRORS.some((error) => error.code === code)),
      id,
    ).toEqual([]);
  }
});

/** Whether a call named like `POST …/issues/{issueKey}/workflow` is this one. A parameter may have another name. */
function matches(path: string, named: string): boolean {
  const plain = (text: string) => text.replaceAll(/\{\w+\}/g, "{}");
  const [method, where] = plain(named).replace(/\?.*$/, "").split(" ") as [string, string];
  const [ownMethod, own] = plain(path).split(" ") as [string, string];
  if (method !== ownMethod) return false;
  return where.startsWith("…") ? own.endsWith(where.slice(1)) : own === where;
}

const withBody = operations.filter(({ body }) => body);

test("every operation with a body declares a valid example of it", () => {
  for (const operation of withBody) {
    const { id, body, item, example } = operation;
    const hasFields = Object.keys((unwrap(body!) as z.ZodObject).shape).length > 0;
    expect(Object.keys(example ?? {}).length > 0, `${id} has an example`).toBe(hasFields);
    const shown = jsonOf((callOf(operation).requestBody as Json).content)?.example;
    expect(shown, id).toEqual(example ?? {});
    expect(body!.safeParse(shown).error, id).toBeUndefined();
    for (const one of item ? (shown as { items: unknown[] }).items : []) {
      expect(item!.safeParse(one).error, id).toBeUndefined();
    }
    expect(notAllowed(operation, shown), id).toEqual([]);
  }
});

test("every example of an input's field is valid", () => {
  const wrong = withBody.flatMap(({ id, body, item }) =>
    fieldsOf(item ?? body!).flatMap(([name, field]) =>
      ((field.meta()?.examples ?? []) as unknown[])
        .map((example) => [name, example, field.safeParse(example).error?.issues[0]?.message])
        .filter(([, , message]) => message)
        .map((problem) => `${id}: ${problem.join(" ")}`),
    ),
  );
  expect(wrong).toEqual([]);
});

/** The fields of an input and of the objects inside. */
function fieldsOf(schema: z.ZodType): [string, z.ZodType][] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) return fieldsOf(inner.element as z.ZodType);
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([name, field]) => [
    [name, field] as [string, z.ZodType],
    ...fieldsOf(field),
  ]);
}

test("every reply has an example that matches its view", () => {
  for (const operation of operations) {
    const { id, returns, streams } = operation;
    if (streams) continue;
    const replies = Object.entries(callOf(operation).responses as Record<string, Json>).filter(([status]) =>
      /^2/.test(status),
    );
    expect(replies.length, id).toBeGreaterThan(0);
    for (const [status, { content }] of replies) {
      const { schema, example } = jsonOf(content) as { schema: Json; example: { data: unknown } };
      expect(violations(schema, example, `${id} ${status}`)).toEqual([]);
      const rows = [example.data].flat() as { ok?: boolean; data: unknown }[];
      const objects = operation.shape === "bulk" ? rows.filter(({ ok }) => ok).map(({ data }) => data) : rows;
      for (const object of objects) expect(returns.parse(object), id).toEqual(object);
    }
  }
});
