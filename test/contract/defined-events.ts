import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Generates the lists of events and of kinds of audit entries that the domain defines: `npm run pin` writes them. */

const DOMAIN = fileURLToPath(new URL("../../src/domain/", import.meta.url));
export const definedEventsPath: string = `${DOMAIN}defined-events.ts`;
export const definedAuditsPath: string = `${DOMAIN}defined-audits.ts`;

const MAX_WIDTH = 120;

export const definedEventsSource = (): string =>
  sourceOf(/^export const (\w+) = defineEvent\(/gm, "Every event that the domain defines", "DEFINED_EVENTS");

export const definedAuditsSource = (): string =>
  sourceOf(
    /^export const (\w+) = defineAudit\(/gm,
    "Every kind of audit entry that no event stands for",
    "DEFINED_AUDITS",
  );

function sourceOf(definition: RegExp, what: string, list: string): string {
  const found = readdirSync(DOMAIN, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    .map((file) => ({ file, names: namesIn(readFileSync(DOMAIN + file, "utf8"), definition) }))
    .filter(({ names }) => names.length > 0);
  return `${found.map(({ file, names }) => imported(file, names)).join("\n")}

/** ${what}. \`npm run pin\` writes this file. */
export const ${list} = [
${found.flatMap(({ names }) => names.map((name) => `  ${name},`)).join("\n")}
] as const;
`;
}

/** Imports are sorted by folder: `oauth/` comes before `oauth-apps/`. */
const orderOf = (file: string): string => file.replaceAll("/", "\0");

const namesIn = (text: string, definition: RegExp): string[] =>
  [...text.matchAll(definition)].map(([, name]) => name!).sort();

function imported(file: string, names: readonly string[]): string {
  const line = `import { ${names.join(", ")} } from "./${file}";`;
  return line.length <= MAX_WIDTH
    ? line
    : `import {\n${names.map((name) => `  ${name},`).join("\n")}\n} from "./${file}";`;
}
