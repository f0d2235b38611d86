import { openPauses } from "../../kernel/let-others-run.ts";

export type Occurrences = {
  count: number;
  /** Those of the first ones. */
  positions: number[];
};

/** Characters that are searched before other calls may run. */
const AT_ONCE = 16_384;

/**
 * Finds all occurrences of a text, also those that overlap, in one pass (Knuth, Morris and Pratt). `indexOf` would take
 * quadratic time for some texts: a doc and a search text of nothing but the same letter take minutes.
 * @param most how many positions to return
 */
export async function findAll(text: string, find: string, most: number): Promise<Occurrences> {
  const found: Occurrences = { count: 0, positions: [] };
  if (find.length > text.length) return found;
  const pause = openPauses();
  const fallback = fallbackOf(find);
  let matched = 0;
  for (let from = 0; from < text.length; from += AT_ONCE) {
    matched = searchPart({ text, find, fallback, most, found }, from, matched);
    await pause();
  }
  return found;
}

type Search = { text: string; find: string; fallback: Int32Array; most: number; found: Occurrences };

/**
 * Searches AT_ONCE characters. An async function may stay uncompiled for its whole loop, which takes eight times as long.
 * @param matched characters of the searched text that end before `from`
 * @returns the same for the end of this part
 */
function searchPart({ text, find, fallback, most, found }: Search, from: number, matched: number): number {
  const to = Math.min(text.length, from + AT_ONCE);
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    while (matched > 0 && code !== find.charCodeAt(matched)) matched = fallback[matched - 1]!;
    if (code === find.charCodeAt(matched)) matched++;
    if (matched < find.length) continue;
    if (found.count++ < most) found.positions.push(at - find.length + 1);
    matched = fallback[matched - 1]!;
  }
  return matched;
}

/** For each prefix of `find`: the length of its longest proper prefix that is also its end. */
function fallbackOf(find: string): Int32Array {
  const fallback = new Int32Array(find.length);
  for (let at = 1, matched = 0; at < find.length; at++) {
    const code = find.charCodeAt(at);
    while (matched > 0 && code !== find.charCodeAt(matched)) matched = fallback[matched - 1]!;
    if (code === find.charCodeAt(matched)) matched++;
    fallback[at] = matched;
  }
  return fallback;
}
