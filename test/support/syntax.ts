import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "@swc/core";

/** The syntax trees of our source, for rules that tests check. */

export type Syntax = { type?: string; value?: unknown } & Record<string, unknown>;
export type Source = { file: string; syntax: Syntax };

const ROOT = join(import.meta.dirname, "../..");

/** Every source file below src, parsed. */
export function sources(): Source[] {
  const names = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => /\.(ts|js)$/.test(name))
    .map((name) => {
      const file = `src/${name}`;
      return { file, syntax: parse(readFileSync(join(ROOT, file), "utf8")) };
    });
}

/** Plain JavaScript is parsed as TypeScript, too. */
export const parse = (text: string): Syntax =>
  parseSync(text, { syntax: "typescript", target: "esnext" }) as unknown as Syntax;

/** Calls `see` for every node of the tree, parents first. */
export function visit(node: unknown, see: (node: Syntax) => void): void {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) see(node as Syntax);
  for (const child of Object.values(node)) visit(child, see);
}
