import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "@swc/core";
import { check } from "recheck";
import type { z } from "zod";
import { operations } from "../../src/api/operations/index.ts";

/**
 * `npm run patterns`: proves that no regular expression of ours can take more than linear time, whatever text it meets.
 * It reads every literal in src, and the patterns in the schemas of the API, some of which are the library's.
 */

const ROOT = join(import.meta.dirname, "../..");

type Pattern = { source: string; flags: string; where: string };
type Syntax = { type?: string } & Record<string, unknown>;

const problems: string[] = [];

/** Literals are all that can be read here, so nothing else may make a pattern. */
function patternsOfSource(): Pattern[] {
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(ts|js)$/.test(name),
  );
  return files.flatMap((name) => {
    const where = `src/${name}`;
    const syntax = name.endsWith(".ts") ? "typescript" : "ecmascript";
    const patterns: Pattern[] = [];
    visit(parseSync(readFileSync(join(ROOT, where), "utf8"), { syntax, target: "esnext" }), (node) => {
      if (node.type === "RegExpLiteral") {
        patterns.push({ source: String(node.pattern), flags: String(node.flags), where });
      } else if (node.type === "Identifier" && node.value === "RegExp") {
        problems.push(`${where}: write the pattern as a literal instead of RegExp(…), so that it can be checked`);
      }
    });
    return patterns;
  });
}

function visit(node: unknown, see: (node: Syntax) => void): void {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) see(node as Syntax);
  for (const child of Object.values(node)) visit(child, see);
}

/** The definitions of a schema and of all in it. */
type Definition = { pattern?: RegExp; checks?: { _zod: { def: { pattern?: RegExp } } }[] } & Record<string, unknown>;

function patternsOfSchemas(): Pattern[] {
  const seen = new Set<unknown>();
  const patterns: Pattern[] = [];
  const add = (pattern: unknown, where: string) => {
    if (pattern instanceof RegExp) patterns.push({ source: pattern.source, flags: pattern.flags, where });
  };
  const walk = (value: unknown, where: string) => {
    if (typeof value !== "object" || value === null || value instanceof RegExp || seen.has(value)) return;
    seen.add(value);
    const definition = (value as { _zod?: { def: Definition } })._zod?.def;
    add(definition?.pattern, where);
    for (const { _zod } of definition?.checks ?? []) add(_zod.def.pattern, where);
    for (const child of Object.values(definition ?? value)) walk(child, where);
  };
  for (const { id, body, query, item } of operations) {
    for (const schema of [body, query, item] as (z.ZodType | undefined)[]) walk(schema, `the input of ${id}`);
  }
  return patterns;
}

async function checkAll(patterns: Pattern[]): Promise<number> {
  const places = new Map<string, Pattern>();
  for (const pattern of patterns) places.set(`/${pattern.source}/${pattern.flags}`, pattern);
  for (const [text, { source, flags, where }] of places) {
    const found = await check(source, flags, { timeout: PATIENCE_MS });
    if (found.status === "vulnerable") problems.push(`${where}: ${text} takes ${found.complexity.summary} time`);
    if (found.status === "unknown") problems.push(`${where}: ${text} could not be checked (${found.error.kind})`);
  }
  return places.size;
}

/** Most take milliseconds, some a few seconds where the checker runs without its native build. */
const PATIENCE_MS = 60_000;

const count = await checkAll([...patternsOfSource(), ...patternsOfSchemas()]);
if (problems.length > 0) {
  console.error(`${problems.join("\n")}\n`);
  console.error("Text of strangers must not take the square of its length. Let neighbouring parts share no character.");
  process.exit(1);
}
console.log(`${count} patterns, all linear.`);
process.exit(0);
