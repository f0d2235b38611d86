import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The style sheet and the pages know the same classes: a style that nothing has, or a class without one, is left over. */

const API = new URL("../../src/api/", import.meta.url);
const filesBelow = (folder: string, end: string): string[] =>
  readdirSync(new URL(folder, API), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(end))
    .map((name) => readFileSync(new URL(`${folder}${name}`, API), "utf8"));

/** Values of the API, names of symbols and tones that a template inserts, and alignments of tables in texts. */
const INSERTED = [
  ...["bug", "epic", "subtask", "task", "critical", "highest", "priority"],
  ...["in_progress", "in_review", "done", "completed", "needs_input", "review", "failed"],
  ...["gone", "new", "warn", "center", "right"],
];
/** Looks as without it. */
const PLAIN = ["info"];

/** The classes of a template's attribute, also those of the texts in its `${…}`. */
function classesIn(source: string): string[] {
  return [...source.matchAll(/\bclass="/g)].flatMap(({ 0: { length }, index }) => {
    let [text, depth] = ["", 0];
    for (let at = index + length; depth > 0 || source[at] !== '"'; at++) {
      if (source.startsWith("${", at)) depth += 1;
      else if (depth > 0 && source[at] === "}") depth -= 1;
      else if (depth > 0 && source[at] === '"') {
        const end = source.indexOf('"', at + 1);
        text += ` ${source.slice(at + 1, end)} `;
        at = end;
        continue;
      } else if (depth === 0 || source[at] === "`") {
        text += source[at];
        continue;
      }
      text += " ";
    }
    return text.split(/[\s`]+/).filter((word) => /^[a-z][\w-]*$/.test(word));
  });
}

test("each class has a style, and each style is of a class", () => {
  const styles = filesBelow("pages/assets/css/", ".css")
    .join("")
    .replaceAll(/\/\*.*?\*\//gs, "");
  const selectors = [...styles.matchAll(/[^{}@]+(?=\{)/g)].join(" ");
  const styled = new Set([...selectors.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name!));
  const used = new Set([...filesBelow("", ".ts").flatMap(classesIn), ...INSERTED]);
  expect(styled.size).toBeGreaterThan(150);
  expect([...styled].filter((name) => !used.has(name))).toEqual([]);
  expect([...used].filter((name) => !styled.has(name) && !PLAIN.includes(name))).toEqual([]);
});
