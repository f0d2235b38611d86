import { describe, expect, test } from "vitest";
import { asTyped } from "../../src/api/pages/issue/mention-area.ts";
import { mentionedBefore } from "../../src/api/pages/issue/mentioned-before.ts";
import { mentioning } from "../../src/api/pages/issue/mentions.ts";
import { withoutMarks } from "../../src/api/pages/kit/plain.ts";
import { leastCpu } from "../support/least.ts";

test("people mention others by their names, and neither code nor addresses", () => {
  const [ada, bob] = ["01a20b0f-8918-7393-9d1d-dea9ae191826", "01a20b0f-8918-7393-9d1d-dea9ae191827"];
  const named = [
    { id: ada, name: "Ada Lovelace" },
    { id: bob, name: "Bob" },
    { id: "1", name: "Eve One" },
    { id: "2", name: "Eve Two" },
    { id: "3", name: "Robo" },
  ];
  const said = (text: string) => mentioning(text, named, new Set(["robo"]));
  expect(said("@ada, @Ada Lovelace. (@BOB)")).toBe(
    `@[Ada Lovelace](${ada}), @[Ada Lovelace](${ada}). (@[Bob](${bob}))`,
  );
  for (const text of [
    "@Eve",
    "@Bobby",
    "me@bob",
    "\\@Bob",
    "`@Bob`",
    "```\n@Bob\n```",
    "~~~\n@Bob\n\n`@Bob\n~~~",
    "- ~~~js\n  @Bob\n  ~~~",
    "> ~~~\n> @Bob",
    "x\n\n    @Bob\n\n    @Bob",
    "@Bob\u0301",
    "@robo",
    `@[Bob](${bob})`,
    "@",
  ]) {
    expect(said(text)).toBe(text);
  }
  for (const text of [
    "~~~\n~~~\n@Bob",
    "```\n~~~\n```\n@Bob",
    "x\n    @Bob",
    "- x\n\n    @Bob",
    "1. x\n\n   y\n\n    @Bob",
    "    x\n@Bob",
  ])
    expect(said(text)).toBe(text.replace("@Bob", `@[Bob](${bob})`));
  expect(said("@Ada\u00a0Lovelace")).toBe(`@[Ada Lovelace](${ada})`);
  expect(mentioning("@Jose\u0301, @Jos\u00e9", [{ id: ada, name: "Jos\u00e9" }])).toBe(
    `@[Jos\u00e9](${ada}), @[Jos\u00e9](${ada})`,
  );
  expect(said("`` @Bob")).toBe(`\`\` @[Bob](${bob})`);
});

test("many signs in a workspace of many people take a moment", () => {
  const people = Array.from({ length: 5_000 }, (_, n) => ({ id: String(n), name: `First${n} ${"x".repeat(n % 90)}` }));
  expect(leastCpu(() => mentioning(" @Fx ".repeat(1_000), people))).toBeLessThan(500);
});

describe("a stored text in a form", () => {
  const ada = "01a20ba1-ced4-7472-a1ae-5ec8acf763ef";
  const bob = "01a20ba1-ced4-7472-a1ae-5ec8acf763aa";

  test("has mentions as they are typed, and leads back to itself", () => {
    const stored = `Hello @[Ada Lovelace](${ada}), and @[Bob](${bob}).`;
    const { text, mentioned } = asTyped(stored);
    expect(text).toBe("Hello @Ada Lovelace, and @Bob.");
    expect(mentioning(text, mentioned)).toBe(stored);
    expect(mentioning(`${text} And @ada-bot?`, mentioned, new Set(["ada-bot"]))).toBe(`${stored} And @ada-bot?`);
  });

  test("remembers nobody with a name that is longer than any", () => {
    const form = (name: string) => ({ text: () => JSON.stringify([[ada, name]]), all: () => [] });
    expect(mentionedBefore(form("a".repeat(200)))).toHaveLength(1);
    expect(mentionedBefore(form("a".repeat(201)))).toEqual([]);
  });

  test.each([
    ["two of one name", `@[Ada](${ada}) and @[Ada](${bob})`],
    ["the name as plain text beside it", `@[Ada](${ada}) is @Ada`],
    ["part of a word", `@[Ada](${ada})s`],
    ["two names of one person", `@[Ada](${ada}), also @[Ada Lovelace](${ada})`],
    ["code", `\`@[Ada](${ada})\``],
  ])("stays as it is stored: %s", (_, stored) => {
    expect(asTyped(stored)).toEqual({ text: stored, mentioned: [] });
  });
});

test("excerpts have no marks of Markdown", () => {
  expect(withoutMarks("**Hello** _you_, see `code_here` and [docs](https://x.test): 2 * 3 * 4")).toBe(
    "Hello you, see code_here and docs: 2 * 3 * 4",
  );
  expect(withoutMarks("# Plan - [x] one &gt; said ~~not~~ a_b_c <mark>**x**</mark>")).toBe(
    "Plan one said not a_b_c <mark>x</mark>",
  );
});
