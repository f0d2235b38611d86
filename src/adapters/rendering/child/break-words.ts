/**
 * Marks where a line may break, which template.typ takes out of the text. A zero-width space would be copied from the
 * PDF with the word. This is not a character of Unicode, so no text needs it.
 */
export const BREAK = "\uFDD0";

/**
 * Marks where words that are too long for a line may break. Otherwise they would run out of the page or into the next
 * cell. Where a line breaks in fact, a search for the whole word does not find it, so other words get no marks.
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

function breakWord(word: string, every: number): string {
  let broken = "";
  let since = 0;
  for (const { segment } of graphemes.segment(word)) {
    if (since >= every && !WITHOUT_SPACES.test(segment)) {
      broken += BREAK;
      since = 0;
    }
    broken += segment;
    since++;
  }
  return broken;
}

/** Lines break between these characters anyway, or between the words that Typst finds among them. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const graphemes = new Intl.Segmenter();
