import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Document } from "./document.ts";
import { methodsOf } from "./methods.ts";
import { typesOf } from "./types.ts";

const HEADER = "// Generated from the API description. Do not edit: `npm run pin` writes it again.\n\n";

export const generatedPath = (name: string): string =>
  fileURLToPath(new URL(`../src/generated/${name}`, import.meta.url));

/** The generated files by name, from the text of the API description. */
export async function generated(description: string): Promise<Record<string, string>> {
  const document = JSON.parse(description) as Document;
  return {
    "schema.ts": HEADER + (await typesOf(document)),
    "operations.ts": HEADER + methodsOf(document),
  };
}

if (import.meta.main) {
  const pinned = new URL("../../../docs/openapi.json", import.meta.url);
  for (const [name, source] of Object.entries(await generated(readFileSync(pinned, "utf8")))) {
    writeFileSync(generatedPath(name), source);
  }
}
