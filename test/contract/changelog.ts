import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { operations } from "../../src/api/operations/index.ts";
import { type Surface, surfaceOf } from "./surface.ts";
import { type Change, changesBetween } from "./surface-changes.ts";

/** The changelog of the API: what differs from the last release, and before it the releases as they were written. */

export const RELEASED = fileURLToPath(new URL("../../docs/api-released.json", import.meta.url));
const CHANGELOG = fileURLToPath(new URL("../../docs/api-changelog.md", import.meta.url));

export const presentSurface = (): Surface => surfaceOf(openApiDocument(operations, "https://muster.test"));

/** What the last release has promised. */
export const releasedSurface = (): Surface => JSON.parse(readFileSync(RELEASED, "utf8")) as Surface;

export const today = (): string => new Date().toISOString().slice(0, 10);

export const changesSinceRelease = (): Change[] => changesBetween(releasedSurface(), presentSurface(), today());

const INTRODUCTION = `# Changelog of the API

Programs that work go on working: nothing is removed or narrowed without a notice of six months. Operations, fields, events
and values may be added at any time. [Versions](versioning.md) has the rules, and **Breaks clients** marks each exception.
`;

/** The whole file. @param title heading of the newest section */
export function changelogText(changes: readonly Change[], title = "Unreleased", summary = ""): string {
  const kinds = ["Added", "Changed", "Deprecated", "Removed"] as const;
  const sections = kinds.flatMap((kind) => {
    const lines = changes.filter((change) => change.kind === kind);
    if (lines.length === 0) return [];
    return [
      `### ${kind}\n\n${lines.map(({ text, breaks }) => `- ${breaks ? "**Breaks clients**: " : ""}${text}\n`).join("")}`,
    ];
  });
  const newest = [`## ${title}\n`, summary, ...(sections.length > 0 || summary ? sections : ["Nothing.\n"])];
  return [INTRODUCTION, ...newest, earlierReleases()].filter(Boolean).join("\n");
}

function earlierReleases(): string {
  if (!existsSync(CHANGELOG)) return "";
  const text = readFileSync(CHANGELOG, "utf8");
  const first = /^## \d/m.exec(text);
  return first ? text.slice(first.index) : "";
}

/** The surface as JSON with a line for each entry, so that the diff of a release can be read. */
export function surfaceText(surface: Surface): string {
  const section = ([name, entries]: [string, object]) => {
    const isList = Array.isArray(entries);
    const lines = Object.entries(entries).map(([key, one]) =>
      isList ? JSON.stringify(one) : `${JSON.stringify(key)}: ${JSON.stringify(one)}`,
    );
    const [open, close] = isList ? "[]" : "{}";
    return `${JSON.stringify(name)}: ${open}\n${lines.join(",\n")}\n${close}`;
  };
  return `{\n${Object.entries(surface).map(section).join(",\n")}\n}\n`;
}
