import { distance } from "fastest-levenshtein";

/**
 * `text` without the marks at its end. A pattern such as `=+$` would try again at every mark, which takes the square of
 * their number.
 */
export function withoutTrailing(text: string, mark: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === mark) end--;
  return text.slice(0, end);
}

/** Characters of the longest e-mail address. */
export const MOST_EMAIL = 320;
/** An e-mail address, as far as its form says: one `@`, and a domain of at least two parts. */
export const EMAIL = /^[^\s@<>"]+@[^\s@<>".]+(?:\.[^\s@<>".]+)+$/;

export const isEmail = (text: string): boolean => text.length <= MOST_EMAIL && EMAIL.test(text);

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
