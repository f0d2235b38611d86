import { letOthersRun } from "../../kernel/let-others-run.ts";

export type Occurrences = {
  count: number;
  /** Those of the first ones. */
  positions: number[];
};

/** Other calls run after this many characters. */
const AT_ONCE = 262_144;

/**
 * Finds all occurrences of a text, also those that overlap, in one pass (Knuth, Morris and Pratt). `indexOf` would take
 * quadratic time for some texts: a doc and a search text of nothing but the same letter take minutes.
 * @param most how many positions to return
 */
export async function findAll(text: string, find: string, most: number): Promise<Occurrences> {
  const found: Occurrences = { count: 0, positions: [] };
  if (find.length > text.length) return found;
  const fallback = fallbackOf(find);
  for (let at = 0, matched = 0; at < text.length; at++) {
    if (at % AT_ONCE === AT_ONCE - 1) await letOthersRun();
    const code = text.charCodeAt(at);
    while (matched > 0 && code !== find.charCodeAt(matched)) matched = fallback[matched - 1]!;
    if (code === find.charCodeAt(matched)) matched++;
    if (matched < find.length) continue;
    if (found.count++ < most) found.positions.push(at - find.length + 1);
    matched = fallback[matched - 1]!;
  }
  return found;
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
