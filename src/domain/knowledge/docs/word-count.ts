/** Counts the words of a text, as people of its language do. Half a million characters take about 20 ms. */

/** Scripts that separate words with spaces or points. An apostrophe or hyphen within a word does not end it. */
const WORD = /[\p{L}\p{N}\p{M}_]+(?:['’\-.][\p{L}\p{N}\p{M}_]+)*/gu;
/** Scripts that do not separate words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;

/** The segmenter reads this many characters; it takes a microsecond for each. The count of the rest is estimated by it. */
const SEGMENTED = 8_192;

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

export function wordCount(text: string): number {
  const unspaced: string[] = [];
  let length = 0;
  const spaced = text.replace(UNSPACED, (run) => {
    if (length < SEGMENTED) unspaced.push(run.slice(0, SEGMENTED - length));
    length += run.length;
    return " ";
  });
  const words = spaced.match(WORD)?.length ?? 0;
  if (length === 0) return words;
  let segments = 0;
  for (const { isWordLike } of segmenter.segment(unspaced.join(" "))) if (isWordLike) segments++;
  return words + Math.round(segments * Math.max(1, length / SEGMENTED));
}
