import { readId } from "./ids.ts";

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

/** `-word` leaves out, but `--option` is a word. */
const TERM = /(-(?!-))?(?:"([^"]*)"?|([^\s"]+))/g;
const QUOTES = /[“”„‟«»＂]/g;
const LETTER = /[\p{L}\p{N}]/gu;

/** Reads a query. It takes linear time, and any text is a query: unclosed quotes end with the text. */
export function termsOf(q: string): Term[] {
  // Postgres refuses NUL, and keyboards of phones write curved quotes.
  const text = q.replace(/\p{Cc}/gu, " ").replace(QUOTES, '"');
  return [...text.matchAll(TERM)].flatMap(([, minus, phrase, word = ""]) => {
    const term = phrase ?? word;
    const letters = term.match(LETTER)?.length ?? 0;
    const negated = minus === "-";
    // One letter begins too many words to be of use.
    return letters === 0 ? [] : [{ text: term, negated, prefix: phrase === undefined && !negated && letters > 1 }];
  });
}

/** An issue that a query consists of. */
export type NamedIssue = { project: string; number: number } | { id: string };

/** A key, with signs that come along when it is copied out of a text. */
const KEY = /^[#"'([<]*([A-Za-z][A-Za-z0-9]{0,9})-(\d{1,9})[\])"'>.,:;!?]*$/;
const HYPHENS = /[\u2010-\u2015\u2212]/g;
/** The path of an issue's page, or of a call about it. */
const PATH = /^\/(?:w|(?:api\/)?v1\/workspaces)\/([^/]+)\/(?:p|projects)\/[^/]+\/(?:issues\/)?([^/]+)/;

/** The workspace in which somebody searches, and the address of this service. */
type Here = { slug: string; baseUrl: string };

/** The issue of this workspace whose key or address a query is; null if it is something else. */
export function namedIssue(q: string, here: Here): NamedIssue | null {
  const text = plainSigns(q);
  const path = pathIn(text, here.baseUrl);
  const at = path === null ? null : PATH.exec(path);
  if (at !== null && at[1]!.toLowerCase() !== here.slug) return null;
  const named = at?.[2] ?? text;
  const [, project, number] = KEY.exec(named) ?? [];
  if (project && number) return { project: project.toUpperCase(), number: Number(number) };
  const id = at === null ? null : readId(named);
  return id === null ? null : { id };
}

const plainSigns = (q: string): string => q.normalize("NFKC").replace(HYPHENS, "-").replace(QUOTES, '"').trim();

/** Signs that come along when an address is copied out of a text. */
const BEFORE = /^[<(["']+/;
const AFTER = `>)]"'.,;!`;
/** Longer texts are no address of ours. */
const MAX_ADDRESS = 2_000;

/** The path of an address of this service, with or without scheme and host. Null for other texts and other hosts. */
function pathIn(text: string, baseUrl: string): string | null {
  if (!text.includes("/") || text.length > MAX_ADDRESS) return null;
  let end = text.length;
  while (AFTER.includes(text[end - 1]!)) end--;
  const address = text.slice(0, end).replace(BEFORE, "");
  const base = new URL(baseUrl);
  const isWhole = address.startsWith("/") || /^https?:/i.test(address);
  const url = URL.parse(isWhole ? address : `${base.protocol}//${address}`, baseUrl);
  return url?.host === base.host ? url.pathname : null;
}

/** The terms for a list of issues. The address of an issue is its key there. */
export function termsOfList(q: string, here: Here): Term[] {
  const named = pathIn(plainSigns(q), here.baseUrl) === null ? null : namedIssue(q, here);
  if (named === null || "id" in named) return termsOf(q).slice(0, MAX_TERMS);
  return [{ text: `${named.project}-${named.number}`, negated: false, prefix: false }];
}

/** The title that the query may be, with or without quotes. */
export const titleOf = (q: string): string =>
  q
    .replace(/\p{Cc}/gu, " ")
    .replace(QUOTES, '"')
    .trim()
    .replace(/^"([^"]*)"$/, "$1")
    .trim();
