import { check } from "recheck";
import type { z } from "zod";
import { operations } from "../../src/api/operations/index.ts";
import { sources, visit } from "./syntax.ts";

/**
 * `npm run patterns`: proves that every regular expression of ours takes linear time for any text. It reads
 * every literal in src, and the patterns in the schemas of the API, some of which come from the library.
 */

type Pattern = { source: string; flags: string; where: string };

const problems: string[] = [];

/** Only literals can be read here, so patterns must be literals. */
function patternsOfSource(): Pattern[] {
  return sources().flatMap(({ file, syntax }) => {
    const patterns: Pattern[] = [];
    visit(syntax, (node) => {
      if (node.type === "RegExpLiteral") {
        patterns.push({ source: String(node.pattern), flags: String(node.flags), where: file });
      } else if (node.type === "Identifier" && node.value === "RegExp") {
        problems.push(`${file}: write the pattern as a literal instead of RegExp(…), so that it can be checked`);
      } else if (isTextAsPattern(node)) {
        problems.push(`${file}: give match and search a literal pattern instead of a text, so that it can be checked`);
      }
    });
    return patterns;
  });
}

// biome-ignore lint/suspicious/noExplicitAny: the parser's own shapes
function isTextAsPattern({ type, callee, arguments: args }: any): boolean {
  if (type !== "CallExpression" || !/^(match|matchAll|search)$/.test(callee.property?.value)) return false;
  return /^(StringLiteral|TemplateLiteral)$/.test(args[0]?.expression.type);
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
    const found = await check(source, flags, { timeout: PATIENCE_MS, randomSeed: SEED });
    if (found.status === "vulnerable") problems.push(`${where}: ${text} takes ${found.complexity.summary} time`);
    if (found.status === "unknown") problems.push(`${where}: ${text} could not be checked (${found.error.kind})`);
  }
  return places.size;
}

/** Most take milliseconds, some a few seconds where the checker runs without its native build. */
const PATIENCE_MS = 60_000;

/** Patterns that cannot be proven are tried with random texts. The same ones in each run, so that a result can be repeated. */
const SEED = 1;

const count = await checkAll([...patternsOfSource(), ...patternsOfSchemas()]);
if (problems.length > 0) {
  console.error(`${problems.join("\n")}\n`);
  console.error("Text of strangers must not take the square of its length. Let neighbouring parts share no character.");
  process.exit(1);
}
console.log(`${count} patterns, all linear.`);
process.exit(0);
