/** What people type into a search box: words, `"phrases"` and `-words`. */

/** A word or phrase as it was typed. */
export type Term = {
  text: string;
  /** Objects that contain it are left out. */
  negated: boolean;
  /** Also matches the beginning of longer words. */
  prefix: boolean;
};

/** Each term costs time in the index, so there is a limit. */
export const MAX_TERMS = 20;

const TERM = /(-?)(?:"([^"]*)"?|([^\s"]+))/g;
const LETTER = /[\p{L}\p{N}]/gu;

/** Reads a query. It takes linear time, and any text is a query: unclosed quotes end with the text. */
export function termsOf(q: string): Term[] {
  // Postgres refuses NUL, and keyboards of phones write curved quotes.
  const text = q.replace(/\p{Cc}/gu, " ").replace(/[“”„‟«»＂]/g, '"');
  return [...text.matchAll(TERM)].flatMap(([, minus, phrase, word = ""]) => {
    const term = phrase ?? word;
    const letters = term.match(LETTER)?.length ?? 0;
    const negated = minus === "-";
    // One letter begins too many words to be of use.
    return letters === 0 ? [] : [{ text: term, negated, prefix: phrase === undefined && !negated && letters > 1 }];
  });
}

const KEY = /^([A-Za-z][A-Za-z0-9]{0,9})-(\d{1,9})$/;

/** The issue key that a query consists of, as the project's key and the number; null if it is something else. */
export function keyOf(q: string): { project: string; number: number } | null {
  const [, project, number] = KEY.exec(q.trim()) ?? [];
  return project && number ? { project: project.toUpperCase(), number: Number(number) } : null;
}

/** The title that the query may be, with or without quotes. */
export const titleOf = (q: string): string =>
  q
    .replace(/\p{Cc}/gu, " ")
    .trim()
    .replace(/^"([^"]*)"$/, "$1")
    .trim();
