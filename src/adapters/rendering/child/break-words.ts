/**
 * Adds zero-width spaces to words that are too long for a line, so that they can break. Otherwise they would run out of
 * the page or into the next cell. They are invisible, but a search for the whole word does not find it any more,
 * so other words get none.
 *
 * @param longest characters of a word that fit into a line
 */
export function breakLongWords(text: string, longest: number): string {
  if (text.length <= longest * SURELY_FITS) return text;
  let broken = "";
  for (const word of text.split(SPACES)) {
    const width = word.length <= longest * SURELY_FITS ? 0 : widthOf(word);
    broken += width <= longest ? word : breakWord(word, ((longest / 2) * word.length) / width);
  }
  return broken;
}

/** Returns a word's width in letters of middle width. Capitals are wider. */
export const widthOf = (word: string): number => word.length + (word.match(CAPITAL)?.length ?? 0) * 0.5;

const CAPITAL = /\p{Lu}/gu;
/** Only capitals make a word wider than its length. */
const SURELY_FITS = 0.6;

/** Keeps the spaces as words of their own. */
const SPACES = /(\s+)/;

const BREAK = "\u200B";

function breakWord(word: string, every: number): string {
  let broken = "";
  let since = 0;
  for (const { segment } of graphemes.segment(word)) {
    if (since >= every && !EAST_ASIAN.test(segment)) {
      broken += BREAK;
      since = 0;
    }
    broken += segment;
    since++;
  }
  return broken;
}

/** Lines break between these characters anyway. */
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const graphemes = new Intl.Segmenter();
