import { flattened, foldCase } from "../../kernel/text.ts";

/** Comparing the texts of conditions. The time grows with their length alone, whatever they contain. */

/** A text in which each letter has one spelling and one case, and each run of spaces is one space. */
export const folded = (text: string): string => foldCase(flattened(text));

/** The built-in search is linear for wanted texts up to this length. */
const SHORT = 100;

/** Whether a text contains another one. The built-in search is fast, but long wanted texts can make it quadratic. */
export const includes = (text: string, wanted: string): boolean =>
  text.includes(wanted.slice(0, SHORT)) && (wanted.length <= SHORT || includesLong(text, wanted));

/** The algorithm of Knuth, Morris and Pratt. */
function includesLong(text: string, wanted: string): boolean {
  const codes = Uint16Array.from({ length: wanted.length }, (_, at) => wanted.charCodeAt(at));
  const borders = bordersOf(codes);
  for (let at = 0, matched = 0; at < text.length; at++) {
    matched = next(codes, borders, matched, text.charCodeAt(at));
    if (matched === codes.length) return true;
  }
  return false;
}

/** For each beginning of a text the length of its longest part that is both its beginning and its end. */
function bordersOf(wanted: Uint16Array): Uint16Array {
  const borders = new Uint16Array(wanted.length);
  for (let at = 1; at < wanted.length; at++) borders[at] = next(wanted, borders, borders[at - 1]!, wanted[at]!);
  return borders;
}

/** Number of characters that match after one more. */
function next(wanted: Uint16Array, borders: Uint16Array, matched: number, character: number): number {
  let length = matched;
  while (length > 0 && wanted[length] !== character) length = borders[length - 1]!;
  return wanted[length] === character ? length + 1 : 0;
}
