import type { Term } from "../../kernel/search-terms.ts";
import type { Kind } from "./kinds.sql.ts";
import { MANY_SCOPES, type Prepared } from "./prepare.sql.ts";

/**
 * The texts of the tsqueries. Besides words, the index has tags, which no text contains: `@w` and `@p` for the workspace
 * and project of a row, `@n` for docs without project, `@u` for the owner of a private doc, `@c` for the channel of a
 * message, `@l` for labels, and `@t` and `@s` for the week and the season (thirteen weeks) in which the row was created.
 */

export type IndexQuery = {
  /** What the index finds: rows with all of these. Phrases are only the words of them. */
  candidates: string[];
  /** The words that must occur, also those of phrases. Each is a query of its own. */
  words: string[];
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
  const together = wanted.map((text) => text.replace(EVERY_FOLLOWED, "&"));
  const loose = [
    ...together,
    // A row with the words of an unwanted phrase may not have the phrase.
    ...parts.filter((part) => part.negated && !hasPhrase(part)).map(({ text }) => `!${text}`),
  ];
  const words = [...new Set(together.flatMap(wordsOf))];
  return { candidates: loose, words, exact: parts.some(hasPhrase) ? exact : null, terms: wanted };
}

/** The operator of phrases. Words cannot contain it, because they have no punctuation. */
const FOLLOWED = /<(?:-|\d+)>/;
const EVERY_FOLLOWED = /<(?:-|\d+)>/g;

/** The words of a phrase; a query with other operators stays as it is. */
const wordsOf = (query: string): string[] => (/[|!]/.test(query) ? [query] : query.replace(/[()]/g, "").split(/ ?& ?/));

/** A word, with the operator of a phrase before it. */
const WORD = /(<(?:-|\d+)> *)?('[^']*')(?::(\*))?/g;

/**
 * The terms as members are searched for them. A term begins in the name (weight A) or in the local part of the address (B),
 * so that a word alone does not find everybody at a domain. Callers who see no addresses find names only.
 */
export const termsOfPeople = (prepared: Prepared, seesEmails: boolean): Prepared => ({
  ...prepared,
  terms: prepared.terms.map(({ query }) => ({
    query: query.replace(WORD, (whole, follows: string | undefined, word: string, prefix = "") =>
      follows && seesEmails ? whole : `${follows ?? ""}${word}:${prefix}${seesEmails ? "AB" : "A"}`,
    ),
    labels: [],
  })),
});

const quoted = (lexeme: string) => `'${lexeme}'`;
const anyOf = (queries: readonly string[]) => `(${queries.join(" | ")})`;
const tag = (kind: string, id: string) => quoted(`@${kind}${id.slice(19).replaceAll("-", "")}`);

/**
 * Where objects of a kind are searched; null if the caller sees none of them. Otherwise, this only saves time: what a caller
 * sees is decided row by row.
 */
export function scopeOf(
  kind: Kind,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  { projects, most, shared, channels }: Prepared,
): { scope: string /** It has few rows. */; narrow: boolean } | null {
  const workspace = tag("w", workspaceId);
  const all = most || projects.length > MANY_SCOPES;
  const narrow = !all && projects.length <= FEW_SCOPES;
  const inProjects = all ? [workspace] : projects.map((id) => tag("p", id));
  const within = (places: string[], few = narrow) => (places.length > 0 ? { scope: anyOf(places), narrow: few } : null);
  switch (kind) {
    case "issue":
    case "comment":
      return within(inProjects);
    case "doc":
      return within([...inProjects, ...(all || !shared ? [] : [tag("n", workspaceId)]), tag("u", userId)]);
    case "doc_comment":
      return within(projects.length > 0 || shared ? [workspace] : [], false);
    case "project":
    case "person":
      return within([workspace], false);
    case "goal":
      return within(shared ? [workspace] : [], false);
    case "message":
      return within(channels.length > MANY_SCOPES ? [workspace] : channels.map((id) => tag("c", id)), false);
  }
}

const FEW_SCOPES = 5;
const WEEK_MS = 604_800_000;
const SEASON_MS = 13 * WEEK_MS;

/**
 * The parts of time that are searched one after the other, until there are enough candidates. Each part costs time, and
 * so does each tag. Few rows need no more than two parts.
 */
export function periodsOf(now: string, narrow: boolean): string[] {
  const weeks = newestTags("t", Date.parse(now) / WEEK_MS, 2);
  const seasons = newestTags("s", Date.parse(now) / SEASON_MS, narrow ? 3 : 2);
  return narrow ? [seasons, `!${seasons}`] : [weeks, `${seasons} & !${weeks}`, `!${seasons}`];
}

/** Tags of times, counted back from the present one. */
const newestTags = (kind: string, present: number, count: number): string =>
  anyOf(Array.from({ length: count }, (_, n) => quoted(`@${kind}${Math.floor(present) - n}`)));
