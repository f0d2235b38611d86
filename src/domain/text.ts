import { distance } from "fastest-levenshtein";

/** The option nearest to a misspelt word, if it is near at all. */
export function closest(word: string, options: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  if (word.length > 100) return undefined;
  for (const option of options) {
    const steps = distance(word.toLowerCase(), option.toLowerCase());
    if (steps < least) [best, least] = [option, steps];
  }
  return best;
}
