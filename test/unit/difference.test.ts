import fc from "fast-check";
import { expect, test } from "vitest";
import { changesTo, differenceOf, isSame } from "../../src/domain/kernel/difference.ts";

test.each([
  [{ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 }, true],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [-0, 0, true],
  [Object.assign(Object.create(null), { a: 1 }), { a: 1 }, true],
  [["a", "b"], ["b", "a"], false],
  [["a"], { 0: "a" }, false],
  [[], {}, false],
  [null, undefined, false],
  [null, {}, false],
  ["1", 1, false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: null }, {}, false],
  [{}, { constructor: Object }, false],
])("%j and %j: the same is %j", (a, b, same) => {
  expect(isSame(a, b)).toBe(same);
  expect(isSame(b, a)).toBe(same);
});

test("a value is the same after a trip through JSON, with its members in any order", () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).reverse();
    return Object.fromEntries(members.map(([name, content]) => [name, reversed(content)]));
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(isSame(value, reversed(JSON.parse(JSON.stringify(value))))).toBe(true);
    }),
  );
});

test("two values are the same exactly when their JSON with sorted names is", () => {
  const sorted = (value: unknown): string =>
    JSON.stringify(value, (_, content) =>
      typeof content === "object" && content !== null && !Array.isArray(content)
        ? Object.fromEntries(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)))
        : content,
    );
  // Few names and values, so that equal ones come up.
  const leaf = fc.constantFrom(0, 1, "", "1", null, false);
  const small = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 2 },
      leaf,
      fc.array(tie("value"), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom("a", "b"), tie("value"), { maxKeys: 2 }),
    ),
  })).value;
  fc.assert(
    fc.property(small, small, (a, b) => isSame(a, b) === (sorted(a) === sorted(b))),
    { numRuns: 2_000 },
  );
});

test("a difference has the old values of the fields that changed, without the derived ones", () => {
  const before = { name: "Old", rules: { x: [1], y: [2] }, count: 1, updated_at: "then" };
  const after = { updated_at: "now", count: 2, rules: { y: [2], x: [1] }, name: "New", url: "more" };
  expect(differenceOf(before, after, ["updated_at"])).toEqual({
    previous: { name: "Old", count: 1 },
    changed: ["name", "count"],
  });
  expect(differenceOf({ count: 1 }, after).changed).toEqual(["count"]);
  expect(differenceOf({}, after)).toEqual({ previous: {}, changed: [] });
});

test("only values that are sent and differ are changes", () => {
  const current = { name: "Old", color: null, rules: { x: [1], y: [2] } };
  expect(changesTo(current, { name: "New", color: undefined, rules: { y: [2], x: [1] } })).toEqual({ name: "New" });
  expect(changesTo(current, { color: null })).toEqual({});
});
