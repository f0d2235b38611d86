import { describe, expect, test } from "vitest";
import { z } from "zod";
import { shown } from "../../src/api/engine/shown.ts";
import { operations } from "../../src/api/operations/index.ts";

/** What a view shows of an answer is what zod's parse returns, or its error. */

const Part = z.object({ total: z.number().int(), rate: z.number().nullable() });
const View = z.object({
  id: z.string().meta({ format: "uuid" }),
  kind: z.enum(["a", "b"]),
  color: z
    .string()
    .max(7)
    .regex(/^#[0-9a-f]{6}$/),
  is_new: z.boolean(),
  only: z.literal(3),
  part: Part.nullable(),
  parts: z.array(Part),
  words: z.array(z.string()),
  any: z.record(z.string(), z.unknown()),
});
const right = {
  id: "1",
  kind: "a",
  color: "#00ff00",
  is_new: false,
  only: 3,
  part: null,
  parts: [{ total: 1, rate: 1.5, more: 1 }],
  words: ["x", ""],
  any: { deep: [{ er: null }], toString: 1 },
  more: "is left out",
};

const outcome = (make: () => unknown): string => {
  try {
    return JSON.stringify(make());
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
};

const WRONG: Record<string, unknown[]> = {
  id: [null, undefined, 1, ["x"]],
  kind: ["c", "A", null, ["a"]],
  color: ["red", "#00FF00", null, "#00ff000"],
  is_new: ["true", 0, null],
  only: ["3", 4],
  part: [{}, [], { total: 1.5, rate: null }, { total: 2 ** 60, rate: 1 }, { total: 1, rate: Number.NaN }, undefined],
  parts: [null, {}, [null], [{ total: 1 }]],
  words: [null, [1], "x"],
  any: [null, [], "x", new Map(), new Date(0), JSON.parse('{"__proto__":{"a":1},"b":2}'), Object.create(null)],
};

describe("what is shown", () => {
  test("are the fields of the view in its order", () => {
    expect(outcome(() => shown(View, right))).toBe(JSON.stringify(View.parse(right)));
    expect(Object.keys(shown(View, { ...right }) as object)).toEqual(Object.keys(View.shape));
  });

  test.each(Object.keys(WRONG))("is refused as zod refuses it: %s", (field) => {
    for (const value of WRONG[field]!) {
      const answer = { ...right, [field]: value };
      expect(outcome(() => shown(View, answer))).toBe(outcome(() => View.parse(answer)));
    }
  });

  test("of an answer that is no object is refused", () => {
    for (const answer of [null, undefined, [], "x", 1]) {
      expect(outcome(() => shown(View, answer))).toBe(outcome(() => View.parse(answer)));
    }
  });

  test("of views that it does not understand is what zod parses", () => {
    for (const view of [
      z.object({ a: z.string().transform((text) => text.length) }),
      z.object({ a: z.string().optional() }),
      z.union([z.object({ a: z.number() }), z.object({ a: z.string().max(3) })]),
      z.looseObject({ a: z.string() }),
      z.strictObject({ a: z.string() }),
      z.object({ a: z.string() }).refine(({ a }) => a !== "x"),
      z.object({ a: z.coerce.string() }),
      z.object({ a: z.string().trim() }),
      z.object({ a: z.string().default("d") }),
    ]) {
      for (const answer of [{ a: "x", b: 1 }, { a: " longer " }, { a: 1 }, {}]) {
        expect(outcome(() => shown(view, answer))).toBe(outcome(() => view.parse(answer)));
      }
    }
  });

  test("of the views of all operations is the same for answers that are wrong somewhere", () => {
    for (const { returns } of operations) {
      for (const answer of [{}, null, { id: "x" }, []]) {
        expect(outcome(() => shown(returns, answer))).toBe(outcome(() => returns.parse(answer)));
      }
    }
  });
});
