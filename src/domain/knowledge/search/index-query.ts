import type { SearchType } from "./inputs.ts";
import { MANY_SCOPES, type Prepared } from "./prepare.sql.ts";
import type { Term } from "./query.ts";

/**
 * The texts of the tsqueries. Besides words, the index has tags, which no text contains: `@w` and `@p` for the workspace
 * and project of a row, `@n` for docs without project, `@u` for the owner of a private doc, `@c` for the channel of a
 * message, `@l` for labels, and `@t` for the week in which the row was created.
 */

export type IndexQuery = {
  /** What the index finds. Phrases are only the words of them. */
  candidates: string;
  /** What must be true of a candidate; null if the index has already checked it. */
  exact: string | null;
  /** The terms that must occur, each with the labels whose names match. */
  terms: string[];
};

/** Returns null if no term contains a word. */
export function indexQuery(terms: readonly Term[], prepared: Prepared): IndexQuery | null {
  const parts = terms.flatMap(({ negated }, n) => {
    const { query, labels } = prepared.terms[n]!;
    return query === "" ? [] : [{ negated, query, text: anyOf([query, ...labels.map(quoted)]) }];
  });
  if (parts.length === 0) return null;
  const hasPhrase = ({ query }: { query: string }) => FOLLOWED.test(query);
  const exact = parts.map(({ negated, text }) => (negated ? `!${text}` : text)).join(" & ");
  const wanted = parts.filter(({ negated }) => !negated).map(({ text }) => text);
  const loose = [
    ...wanted.map((text) => text.replace(EVERY_FOLLOWED, "&")),
    // A row with the words of an unwanted phrase may not have the phrase.
    ...parts.filter((part) => part.negated && !hasPhrase(part)).map(({ text }) => `!${text}`),
  ];
  return { candidates: loose.join(" & "), exact: parts.some(hasPhrase) ? exact : null, terms: wanted };
}

/** The operator of phrases. Words cannot contain it, because they have no punctuation. */
const FOLLOWED = /<(?:-|\d+)>/;
const EVERY_FOLLOWED = /<(?:-|\d+)>/g;

const quoted = (lexeme: string) => `'${lexeme}'`;
const anyOf = (queries: readonly string[]) => `(${queries.join(" | ")})`;
const tag = (kind: string, id: string) => quoted(`@${kind}${id.slice(19).replaceAll("-", "")}`);

/** Where objects of a type are searched. This only saves time: what a caller sees is decided row by row. */
export function scopeOf(
  type: SearchType | "doc_comment",
  { workspaceId, userId }: { workspaceId: string; userId: string },
  { projects, most, channels }: Prepared,
): string {
  const workspace = tag("w", workspaceId);
  const inProjects = most || projects.length > MANY_SCOPES ? null : projects.map((id) => tag("p", id));
  switch (type) {
    case "issue":
    case "comment":
      return anyOf(inProjects?.length ? inProjects : [workspace]);
    case "doc":
      return anyOf([...(inProjects ? [...inProjects, tag("n", workspaceId)] : [workspace]), tag("u", userId)]);
    case "doc_comment":
      return workspace;
    case "message":
      return anyOf(
        channels.length === 0 || channels.length > MANY_SCOPES ? [workspace] : channels.map((id) => tag("c", id)),
      );
  }
}

const WEEK_MS = 604_800_000;
/** The newest weeks are searched first: these, then those up to the second number, then the rest. */
const NEWEST = [2, 13] as const;

/** The parts of time that are searched one after the other, until there are enough candidates. */
export function periodsOf(now: string): string[] {
  const week = Math.floor(Date.parse(now) / WEEK_MS);
  const weeks = (from: number, to: number) =>
    anyOf(Array.from({ length: to - from }, (_, n) => quoted(`@t${week - from - n}`)));
  const [first, second] = NEWEST;
  return [weeks(0, first), weeks(first, second), `!${weeks(0, second)}`];
}
