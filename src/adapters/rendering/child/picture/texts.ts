/** Texts in pictures: how wide they are, and how they are written as XML. */

const SEGMENTS = new Intl.Segmenter("en", { granularity: "grapheme" });
/** Characters as wide as high: those of East Asia, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3ffff}]|\p{Extended_Pictographic}/u;
const BROAD = /[MWmw@%&—…]/;
const CAPITAL = /[\p{Lu}\d]/u;
const NARROW = /[iljtfrI.,:;'|!()[\] ]/;

/** Width of a text in the widest of the usual fonts, in pixels. An estimate that is rarely too small. */
export function widthOf(text: string, size: number): number {
  let width = 0;
  for (const { segment } of SEGMENTS.segment(text)) width += shareOf(segment);
  return width * size;
}

function shareOf(grapheme: string): number {
  if (WIDE.test(grapheme)) return grapheme.length > 4 ? 1.4 : 1.1;
  if (BROAD.test(grapheme)) return 0.95;
  if (NARROW.test(grapheme)) return 0.38;
  return CAPITAL.test(grapheme) ? 0.7 : 0.6;
}

/** Cuts a text to a width in pixels, and shows that it was cut. */
export function cutTo(text: string, size: number, width: number): string {
  // Longer texts never fit.
  const given = [...SEGMENTS.segment(text.slice(0, 400))].map(({ segment }) => segment);
  let [used, fitting, fittingCut] = [0, 0, 0];
  for (const segment of given) {
    used += shareOf(segment) * size;
    if (used + shareOf("…") * size <= width) fittingCut++;
    if (used > width) break;
    fitting++;
  }
  return fitting === given.length && text.length <= 400 ? text : `${given.slice(0, fittingCut).join("").trimEnd()}…`;
}

/** What XML does not allow, and marks that change the direction of the text around. */
const REMOVED = /[\p{Cc}\p{Bidi_Control}\ufffe\uffff]/gu;
const ESCAPED = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

/** One line of text without marks and characters that are not shown. */
export const plain = (text: string): string => text.toWellFormed().replace(/\s+/g, " ").replace(REMOVED, "").trim();

/** A text as XML. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPED.get(character)!);
