import type { Term } from "../../kernel/search-terms.ts";
import { fold } from "./fold.ts";

/** Where the words of a query are in a text. */

/** The words of a term, as the index has them, and whether the last one may be the beginning of a word. */
type Wanted = { words: string[]; prefix: boolean };

/** Finds matches in part of a text. Each is where it begins and ends. */
export type Matcher = (text: string) => [number, number][];

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Returns null if no word must occur. */
export function matcherOf(terms: readonly Term[]): Matcher | null {
  const wanted = terms.filter(({ negated }) => !negated).flatMap(spellings);
  if (wanted.length === 0) return null;
  const byLetter = Map.groupBy(wanted, ({ words }) => words[0]![0]);
  return (original) => {
    const { text, at } = fold(original);
    const words = [...text.matchAll(WORD)].map((match) => ({ word: match[0], index: match.index }));
    const found: [number, number][] = [];
    for (let n = 0; n < words.length; ) {
      const candidates = byLetter.get(words[n]!.word[0]) ?? [];
      const length = Math.max(0, ...candidates.map((term) => lengthOfMatch(term, words, n)));
      if (length > 0) {
        const last = words[n + length - 1]!;
        const end = last.index + ending(wanted, last.word);
        found.push([at[words[n]!.index]!, after(at, end - 1)]);
      }
      n += Math.max(1, length);
    }
    return found;
  };
}

/** A term as it is written, and with umlauts instead of `ue` and the other way round. */
function spellings({ text, prefix }: Term): Wanted[] {
  const spelt = text.normalize("NFC").replace(/ä/giu, "ae").replace(/ö/giu, "oe").replace(/ü/giu, "ue");
  const folded = fold(text).text;
  const short = folded.replaceAll("ae", "a").replaceAll("oe", "o").replaceAll("ue", "u");
  const all = new Set([folded, fold(spelt).text, short]);
  return [...all].flatMap((spelling) => {
    const words = spelling.match(WORD);
    return words ? [{ words, prefix }] : [];
  });
}

/** Number of words that match a term from the n-th on; 0 if they do not. */
function lengthOfMatch({ words, prefix }: Wanted, text: readonly { word: string }[], n: number): number {
  for (const [offset, word] of words.entries()) {
    const there = text[n + offset]?.word;
    const isLast = offset === words.length - 1;
    if (there === undefined || !(there === word || (isLast && prefix && there.startsWith(word)))) return 0;
  }
  return words.length;
}

/** Number of characters of a word that match: only the beginning of longer words is marked. */
function ending(wanted: readonly Wanted[], word: string): number {
  const begins = wanted.flatMap(({ words }) => (word.startsWith(words.at(-1)!) ? words.at(-1)!.length : []));
  return Math.max(0, ...begins) || word.length;
}

/** The position behind a folded character, with the marks that follow it. */
function after(at: readonly number[], index: number): number {
  let next = index + 1;
  while (next < at.length - 1 && at[next] === at[index]) next++;
  return at[next]!;
}
