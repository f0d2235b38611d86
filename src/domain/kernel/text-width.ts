/** How wide texts are in pictures. */

export const SEGMENTS = new Intl.Segmenter("en", { granularity: "grapheme" });
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

/** Of the size of the font. */
export function shareOf(grapheme: string): number {
  if (WIDE.test(grapheme)) return grapheme.length > 4 ? 1.4 : 1.1;
  if (BROAD.test(grapheme)) return 0.95;
  if (NARROW.test(grapheme)) return 0.38;
  return CAPITAL.test(grapheme) ? 0.7 : 0.6;
}
