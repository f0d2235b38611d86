import fc from "fast-check";
import { expect, test } from "vitest";
import { jcs, jcsFlat, type Plain } from "../../src/domain/kernel/jcs.ts";

test("RFC 8785's example gives the RFC's result", () => {
  // Section 3.2.2, with the members in another order than they are to have.
  const text = `{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
    "string":"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}`;
  expect(jcs(JSON.parse(text))).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test("names are ordered by their UTF-16 code units", () => {
  const sample = { "€": 5, "\r": 1, "\ufb33": 7, "1": 2, "😀": 6, "\u0080": 3, ö: 4 };
  expect(jcs(sample)).toBe('{"\\r":1,"1":2,"\u0080":3,"ö":4,"€":5,"😀":6,"\ufb33":7}');
});

test("the same data gives the same bytes, in any order", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "grapheme" }), (value) => {
      const once = jcs(value as Plain);
      expect(JSON.parse(once)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(jcs(JSON.parse(once))).toBe(once);
      expect(jcs(reversed(JSON.parse(once)))).toBe(once);
    }),
  );
});

test("values that JSON cannot represent are refused", () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, "\ud800", { a: "\udc00" }, undefined, () => 1]) {
    expect(() => jcs(value as Plain)).toThrow();
  }
});

test("flat objects hold strings and integers, and equal JSON.stringify with sorted names", () => {
  expect(jcsFlat({ b: 2000, a: "ü" })).toBe('{"a":"ü","b":2000}');
  const flat = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.maxSafeInteger()), { noNullPrototype: true });
  fc.assert(
    fc.property(flat, (object) => {
      const sorted = Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
      expect(JSON.parse(jcsFlat(object))).toEqual(sorted);
    }),
  );
  for (const value of [1.5, Number.NaN, 2 ** 53, null, true, undefined, {}, [], 1n]) {
    expect(() => jcsFlat({ a: value as never }), String(value)).toThrow("neither a string nor an integer");
  }
});

function reversed(value: unknown): Plain {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value as Plain;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, content]) => [name, reversed(content)]),
  );
}
