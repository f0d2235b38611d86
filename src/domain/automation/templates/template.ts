import { own } from "../../kernel/own.ts";

/** Texts with `{{issue.title}}` and other paths. They contain no code. */

/** The paths that a text may contain. */
export const PATHS = [
  "issue.key",
  "issue.title",
  "issue.url",
  "issue.type",
  "issue.status",
  "issue.priority",
  "issue.due_at",
  "issue.assignee",
  "issue.reporter",
  "project.key",
  "actor.name",
  "actor.kind",
  "automation.name",
  "event.type",
  "comment.body",
  "now",
] as const;
export type Path = (typeof PATHS)[number];

/** The values of paths. A path without a value becomes an empty text. */
export type Values = Readonly<Partial<Record<Path, string>>>;

const PLACEHOLDER = /\{\{([^{}\n]{0,100})\}\}/g;

/** The paths in a text that do not exist, as they are written there. */
export function unknownPaths(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, path]) => path!.trim()).filter((path) => !isPath(path));
}

/** The paths in a text that have values. */
export const pathsIn = (text: string): Path[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, path]) => path!.trim()).filter(isPath);

const isPath = (path: string): path is Path => (PATHS as readonly string[]).includes(path);

/**
 * Replaces the paths by their values. Values are not read again, so a title that contains `{{issue.key}}` stays as it is.
 * @param inPlace what is done to each value, so that it stays text in its place
 */
export function filled(text: string, values: Values, inPlace = (value: string, _path: Path) => value): string {
  return text.replace(PLACEHOLDER, (whole, path: string) => {
    const name = path.trim();
    return isPath(name) ? inPlace(own(values as Record<string, string>, name) ?? "", name) : whole;
  });
}

/**
 * Paths whose values the service makes. They are words, keys, times and its own addresses, and stay as they are in Markdown:
 * `#{{issue.key}}` refers to the issue, and an address is a link.
 */
const GENERATED: readonly Path[] = [
  "issue.key",
  "issue.url",
  "issue.type",
  "issue.priority",
  "issue.due_at",
  "project.key",
  "actor.kind",
  "event.type",
  "now",
];

/** The value of a path in Markdown. */
export const inMarkdown = (value: string, path: Path): string => (GENERATED.includes(path) ? value : asMarkdown(value));

/** Numbers, dates and times, which have no meaning in Markdown, or a character that may have one. */
const SPECIAL =
  /(?<![\p{L}\p{N}_@#.:/-])\d+(?:[-.:]\d+)+(?![\p{L}\p{N}_@/]|[.:-][\p{L}\p{N}])|[\\`*_{}[\]()#+\-.!|<>~@&:=]/gu;

/**
 * Escapes a value that somebody chose for Markdown, so that a title can neither mention people nor add links. Line breaks
 * become spaces.
 */
export const asMarkdown = (value: string): string =>
  value.replace(/\s+/g, " ").replace(SPECIAL, (found) => (found.length === 1 ? `\\${found}` : found));
