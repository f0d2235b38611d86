import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { operations } from "../../src/api/operations/index.ts";

/**
 * Every text, list and record in a call's input has a length limit. The engine cuts longer values, so that patterns
 * and checks never see more.
 */

// Their handlers check the values, of which a body has a limited number.
const ANYTHING = new Set(["unknown", "any"]);
const WRAPPERS = new Set(["optional", "nullable", "default", "prefault", "nonoptional", "readonly"]);

describe.each(operations.map((operation) => ({ id: operation.id, operation })))("$id", ({ operation }) => {
  test("has no field without a bound", () => {
    const { body, query, item } = operation;
    const found = [body, query, item].flatMap((schema) => (schema ? unbounded(schema as Schema, "") : []));
    expect(found).toEqual([]);
  });
});

type Schema = z.ZodType & { shape?: Record<string, Schema>; element?: Schema };
type Definition = Record<string, unknown> & { type: string; checks?: { _zod: { def: Check } }[] };
type Check = { check: string; maximum?: number };

function unbounded(schema: Schema, path: string): string[] {
  const definition = schema._zod.def as unknown as Definition;
  const { type } = definition;
  const bounded = (definition.checks ?? []).some(({ _zod }) => _zod.def.check === "max_length");
  const inner = (name: string) => unbounded(definition[name] as Schema, `${path}/*`);
  if (WRAPPERS.has(type)) return unbounded(definition.innerType as Schema, path);
  if (type === "pipe") return unbounded(definition.in as Schema, path);
  if (type === "object") {
    const open = definition.catchall && (definition.catchall as Schema)._zod.def.type !== "never";
    const members = Object.entries(schema.shape ?? {}).flatMap(([name, own]) => unbounded(own, `${path}/${name}`));
    return [...(open ? [`${path} takes any member`] : []), ...members];
  }
  if (type === "union") return (definition.options as Schema[]).flatMap((option) => unbounded(option, path));
  if (type === "record") {
    const most = schema.meta()?.maxProperties;
    return [...(most ? [] : [`${path} has any number of members`]), ...inner("keyType"), ...inner("valueType")];
  }
  if (type === "array") return [...(bounded ? [] : [`${path} has any length`]), ...inner("element")];
  if (type === "string") return bounded ? [] : [`${path} has any length`];
  if (["enum", "literal", "number", "boolean", "null"].includes(type) || ANYTHING.has(type)) return [];
  return [`${path}: what is a ${type}?`];
}
