import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Generates the list of events that the domain defines: `npm run pin` writes it. */

const DOMAIN = fileURLToPath(new URL("../../src/domain/", import.meta.url));
export const definedEventsPath: string = `${DOMAIN}defined-events.ts`;

const DEFINITION = /^export const (\w+) = defineEvent\(/gm;
const MAX_WIDTH = 120;

export function definedEventsSource(): string {
  const found = readdirSync(DOMAIN, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .sort()
    .map((file) => ({ file, names: namesIn(readFileSync(DOMAIN + file, "utf8")) }))
    .filter(({ names }) => names.length > 0);
  return `${found.map(({ file, names }) => imported(file, names)).join("\n")}

/** Every event that the domain defines. \`npm run pin\` writes this file. */
export const DEFINED_EVENTS = [
${found.flatMap(({ names }) => names.map((name) => `  ${name},`)).join("\n")}
] as const;
`;
}

const namesIn = (text: string): string[] => [...text.matchAll(DEFINITION)].map(([, name]) => name!).sort();

function imported(file: string, names: readonly string[]): string {
  const line = `import { ${names.join(", ")} } from "./${file}";`;
  return line.length <= MAX_WIDTH
    ? line
    : `import {\n${names.map((name) => `  ${name},`).join("\n")}\n} from "./${file}";`;
}
