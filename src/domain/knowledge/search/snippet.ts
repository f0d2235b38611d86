import { escapeHtml } from "../../kernel/html.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import { type Names, withNamesOnly } from "../../kernel/markdown-names.ts";
import type { Term } from "../../kernel/search-terms.ts";
import { withoutHtml } from "../../kernel/without-html.ts";
import { type Matcher, matcherOf } from "./matches.ts";

/** Part of a text as HTML, with marks around what was searched for. */

/** Characters of a snippet, with its marks and escapes. */
const MAX_LENGTH = 200;
/** Characters before the first match. */
const BEFORE = 50;
/** Characters that are searched before other calls may run. */
const STEP = 2_048;
/** Matches and words are shorter. */
const OVERLAP = 256;
/** Characters that are searched for all snippets of a page. After that, only the beginning of each text is searched. */
const ENOUGH = 1_048_576;
const BEGINNING = 8_192;
const [OPEN, CLOSE, CUT] = ["<mark>", "</mark>", "…"];

export type SnippetMaker = (row: { title: string; body: string }) => Promise<string>;

/**
 * Returns a function that makes the snippets of a page. Mentions show the present names; comments and tags are left out. It takes time proportional to the texts
 * before the matches.
 */
export function snippetMaker(terms: readonly Term[], names: Names = new Map()): SnippetMaker {
  const find = matcherOf(terms);
  let searched = 0;
  const matcher: Matcher | null =
    find &&
    ((text) => {
      searched += text.length;
      return find(text);
    });
  return async ({ title, body: markdown }) => {
    const body = withNamesOnly(withoutHtml(searched < ENOUGH ? markdown : markdown.slice(0, BEGINNING)), names);
    const shown = matcher && ((await around(body, matcher)) ?? (await around(title, matcher)));
    return shown ?? render(body.trim() === "" ? title : body, 0, []);
  };
}

/** The snippet around the first match; null if there is none. */
async function around(text: string, matcher: Matcher): Promise<string | null> {
  for (let from = 0; from < text.length; from += STEP) {
    if (from > 0) await letOthersRun();
    const start = Math.max(0, from - OVERLAP);
    // A word in the overlap may be cut off. The next part finds it.
    const isHere = ([at]: [number, number]) => start + at >= from && start + at < from + STEP;
    const [first] = matcher(text.slice(start, from + STEP + OVERLAP)).filter(isHere);
    if (!first) continue;
    const begin = beginning(text, start + first[0]);
    const matches = matcher(text.slice(begin, begin + 2 * MAX_LENGTH));
    return render(text.slice(begin, begin + 2 * MAX_LENGTH), begin, matches);
  }
  return null;
}

/** Where a snippet begins: at a word, if there is one shortly before the match. */
function beginning(text: string, match: number): number {
  if (match <= BEFORE) return 0;
  const from = match - BEFORE;
  const space = text.slice(from, match).search(/\s/);
  if (space >= 0) return from + space + 1;
  // Not between the halves of a character.
  return /[\udc00-\udfff]/.test(text[from]!) ? from + 1 : from;
}

/**
 * The text on one line, escaped and with marks, as long as it fits.
 * @param cut characters that were cut off before it
 */
function render(text: string, cut: number, matches: readonly [number, number][]): string {
  let html = cut > 0 ? CUT : "";
  const fits = (more: string) => html.length + more.length <= MAX_LENGTH - CUT.length;
  const marks = new Map(matches);
  for (let index = 0; index < text.length; ) {
    const end = marks.get(index) ?? index + String.fromCodePoint(text.codePointAt(index)!).length;
    const shown = escapeHtml(oneLine(text.slice(index, end)));
    const next = marks.has(index) ? OPEN + shown + CLOSE : shown;
    if (!fits(next)) {
      const part = marks.has(index) && !html.includes(OPEN) ? beginningOf(text.slice(index, end), fits) : "";
      return `${html}${part}`.trimEnd() + CUT;
    }
    // Several spaces in a row are one.
    if (next !== " " || !(html === "" || html.endsWith(" "))) html += next;
    index = Math.max(end, index + 1);
  }
  return html.trimEnd();
}

/** As much of a long match as fits, with its mark. */
function beginningOf(match: string, fits: (html: string) => boolean): string {
  let shown = "";
  for (const letter of oneLine(match)) {
    const longer = shown + escapeHtml(letter);
    if (!fits(OPEN + longer + CLOSE)) break;
    shown = longer;
  }
  return OPEN + shown + CLOSE;
}

const oneLine = (text: string) =>
  text.replace(/[\p{Cc}\s]+/gu, " ").replace(/[\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, "");
