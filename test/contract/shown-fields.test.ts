import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { operations } from "../../src/api/operations/index.ts";
import { NOT_ON_PAGES, NOT_SHOWN } from "./not-shown.ts";

/**
 * Pages show what the API shows, and change what it changes. A new field gets its place on a page, or a reason in
 * not-shown.ts. Only names are compared: a field counts as shown if the code of the pages that use its operations names it.
 */

const ROOT = "src/api/pages";

/** Without imports and comments. */
const codeOf = (file: string): string =>
  readFileSync(join(ROOT, file), "utf8")
    .replaceAll(/^import [\s\S]*?;$/gm, "")
    .replaceAll(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.startsWith("design"))
  .map((file) => ({ folder: dirname(file), code: codeOf(file) }));

/** Pages that make names of operations: those of lists in a project's settings, of milestones and of releases. */
const MADE = /^(statuses|labels|custom-field-defs|milestones|releases)\./;

const foldersOf = (id: string): string[] => [
  ...(MADE.test(id) ? ["project"] : []),
  ...files.flatMap(({ folder, code }) => (code.includes(`"${id}"`) ? [folder] : [])),
];

const partsOf = (part: object): object => {
  if (part instanceof z.ZodLazy) return [part.unwrap()];
  if (part instanceof z.ZodObject) return part.shape;
  return part instanceof z.ZodType ? part._zod.def : part;
};

/** All fields of a schema, each as the name of its object and of the field: `Issue.counts.comments`. */
function fieldsOf(schema: unknown, name: string): Set<string> {
  const found = new Set<string>();
  const walk = (part: unknown, name: string, seen: readonly unknown[]): void => {
    if (typeof part !== "object" || part === null || seen.includes(part)) return;
    const own = part instanceof z.ZodType ? String(part.meta()?.id ?? name) : name;
    for (const [field, one] of Object.entries(partsOf(part))) {
      const isField = part instanceof z.ZodObject;
      if (isField) found.add(`${own}.${field}`);
      walk(one, isField ? `${own}.${field}` : own, [...seen, part]);
    }
  };
  walk(schema, name, []);
  return found;
}

/** Folders of the pages that get or send each field. */
function places(): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const { id, returns, body, query } of operations) {
    const folders = foldersOf(id);
    if (folders.length === 0) continue;
    const fields = [fieldsOf(returns, id), fieldsOf(body, `${id} body`), fieldsOf(query, `${id} query`)];
    for (const field of fields.flatMap((set) => [...set])) {
      all.set(field, new Set([...(all.get(field) ?? []), ...folders]));
    }
  }
  return all;
}

/** What code names: `.name`, `"name"`, and `name` in a list of names. */
const namesIn = (code: string): Set<string> =>
  new Set(
    [...code.matchAll(/[.](\w+)|["'`](\w+)["'`]|[{,]\s*(\w+)\s*(?=[,:}])/g)].map(([, a, b, c]) => a ?? b ?? c ?? ""),
  );

test("each field that the API shows or takes is on a page, or there is a reason", () => {
  const byFolder = new Map<string, Set<string>>();
  for (const { folder, code } of files) {
    byFolder.set(folder, new Set([...(byFolder.get(folder) ?? []), ...namesIn(code)]));
  }
  const isNamed = (field: string, folders: ReadonlySet<string>): boolean => {
    const name = field.slice(field.lastIndexOf(".") + 1);
    return ["kit", ...folders].some((folder) => byFolder.get(folder)?.has(name));
  };
  const missing = [...places()].filter(([field, folders]) => !isNamed(field, folders)).map(([field]) => field);
  const reasons = Object.values(NOT_SHOWN).flat();
  const covers = (reason: string, field: string) =>
    reason.endsWith("*") ? field.startsWith(reason.slice(0, -1)) : reason === field;
  expect(missing.filter((field) => !reasons.some((one) => covers(one, field))).sort()).toEqual([]);
  expect(reasons.filter((one) => !missing.some((field) => covers(one, field)))).toEqual([]);
});

test("each operation is used by a page, or there is a reason", () => {
  const unused = operations.map(({ id }) => id).filter((id) => foldersOf(id).length === 0);
  expect(unused.sort()).toEqual(Object.values(NOT_ON_PAGES).flat().sort());
});
