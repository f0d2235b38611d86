import { expect, test } from "vitest";
import { differences } from "../../src/api/pages/kit/differences.ts";
import { leastCpu } from "../support/least.ts";

/** How a page shows what changed between two texts. */

const textOf = (before: string, after: string) =>
  differences(before, after)
    .toString()
    .replaceAll(/<span class="out">[^<]*<\/span>/g, "")
    .replaceAll("</div>", "\n")
    .replaceAll(/<[^>]*>/g, "")
    .trim()
    .split("\n");

const lines = (count: number, letter: string) => Array.from({ length: count }, (_, n) => `${letter}${n}`);

test("changed lines are shown with a few around them; the others are counted", () => {
  const before = lines(30, "a");
  const after = [...before];
  after[10] = "new";
  expect(textOf(before.join("\n"), after.join("\n"))).toEqual([
    ...["7 unchanged lines", " a7", " a8", " a9", "−a10", "+new", " a11", " a12", " a13", "16 unchanged lines"],
  ]);
  after[20] = "<b>";
  expect(textOf(before.join("\n"), after.join("\n"))).toContain("3 unchanged lines");
  expect(textOf(before.join("\n"), after.join("\n"))).toContain("+&lt;b&gt;");
});

test("texts of hundreds of thousands of lines are compared in a moment, and shown on a page of a usual size", () => {
  const [before, after] = ["a\n".repeat(260_000), "b\n".repeat(260_000)];
  let shown = "";
  const took = leastCpu(() => {
    shown = differences(before, after).toString();
  });
  expect(took).toBeLessThan(500);
  expect(shown.length).toBeLessThan(500_000);
  expect(textOf(before, after).filter((line) => line.includes("more"))).toEqual([
    "259000 more removed lines",
    "259000 more added lines",
  ]);
});
