/** Comparing the texts of conditions. The time grows with their length alone, whatever they contain. */

/** The first character that may join with the one before it. */
const FIRST_MARK = 0x300;
const HAS_MARKS = /[\u0300-\uffff]/;
/** Characters that are normalized together: from `PIECE` on up to one that joins with nothing, but no more than `MOST`. */
const PIECE = 100;
const MOST = 300;

/** A text in lower case, with one spelling for each letter that has several. */
export function folded(text: string): string {
  return HAS_MARKS.test(text) ? normalized(text).toLowerCase() : text.toLowerCase();
}

/** As `normalize("NFC")`, which takes seconds for a long text of marks, because it sorts the marks of a letter. */
function normalized(text: string): string {
  let whole = "";
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = from + PIECE;
    while (to < from + MOST && text.charCodeAt(to) >= FIRST_MARK) to++;
    whole += text.slice(from, to).normalize("NFC");
  }
  return whole;
}

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
