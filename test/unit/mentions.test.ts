import { expect, test } from "vitest";
import { mentioning } from "../../src/api/pages/issue/mentions.ts";
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
    "@robo",
    `@[Bob](${bob})`,
    "@",
  ]) {
    expect(said(text)).toBe(text);
  }
  expect(said("`` @Bob")).toBe(`\`\` @[Bob](${bob})`);
});

test("many signs in a workspace of many people take a moment", () => {
  const people = Array.from({ length: 5_000 }, (_, n) => ({ id: String(n), name: `First${n} ${"x".repeat(n % 90)}` }));
  expect(leastCpu(() => mentioning(" @Fx ".repeat(1_000), people))).toBeLessThan(500);
});
