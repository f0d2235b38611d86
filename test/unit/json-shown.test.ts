import { expect, test } from "vitest";
import { jsonShown, jsonToEdit, laidOut } from "../../src/api/pages/kit/code.ts";

/** JSON of programs on pages: laid out, and never many times as long as what was sent. */

const MOST = 21_000;
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

test("is laid out as JSON.stringify does it, with escapes and empty lists", () => {
  const value = { a: [1, -2.5e3, {}, [], 'x,{"y\\', null], "b:{": { c: { d: "é:[" } }, e: true };
  const text = JSON.stringify(value, null, 2);
  expect([jsonShown(value), jsonToEdit(value), laidOut(JSON.stringify(value))]).toEqual([text, text, text]);
  expect(laidOut("no {json")).toBe("no {json");
});

test.each([
  ["deep", nested(2_000)],
  ["deep and long", nested(400_000)],
  ["wide", JSON.stringify(Array.from({ length: 50_000 }, (_, n) => ({ n })))],
  ["one long text", JSON.stringify({ text: "x".repeat(1_000_000) })],
  ["no JSON", `{${"x".repeat(1_000_000)}`],
])("a text that is %s is shown by its beginning, which is made at once", (_, text) => {
  const began = performance.now();
  const shown = laidOut(text);
  expect(performance.now() - began).toBeLessThan(50);
  expect(shown.length).toBeLessThan(MOST);
  expect(shown).toMatch(/The API returns all of it\.$/);
});

test("what is edited is complete, without indents that would be most of it", () => {
  const deep = JSON.parse(nested(2_000));
  expect(jsonToEdit(deep)).toBe(nested(2_000));
  expect(jsonShown(deep).length).toBeLessThan(MOST);
});
