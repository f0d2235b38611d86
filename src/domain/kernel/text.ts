import { distance } from "fastest-levenshtein";

/**
 * Returns `text` without the marks at its end. A pattern such as `=+$` would start again at every mark and take
 * quadratic time.
 */
export function withoutTrailing(text: string, mark: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === mark) end--;
  return text.slice(0, end);
}

/** White space that ends a line or moves to a column. Within a line it is a blank. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Marks that change the writing direction of the following text, even after the end of this one. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;
/**
 * What no line of text needs: the other control characters, and halves of surrogate pairs. Joiners stay, since emoji and
 * several scripts are written with them.
 */
const HIDDEN = /[\p{Cc}\p{Cs}\ufff9-\ufffb]/gu;
/** Some letters and symbols look like nothing, too: fillers, and the blank of Braille. */
const SEEN = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

/** A text in one line and one direction: line breaks and tabs become blanks, and marks of direction go. */
export const flattened = (text: string): string => text.replace(BREAKS, " ").replace(TURNS, "");

/** Whether a text contains characters that a line of text never needs. */
export const hasHidden = (text: string): boolean => text.search(HIDDEN) >= 0;

/** Whether anything of a text can be seen. */
export const canBeSeen = (text: string): boolean => SEEN.test(text);

/** One line of text, of text that comes from elsewhere and cannot be refused. */
export const singleLine = (text: string): string => flattened(text).replace(HIDDEN, "").trim();

/** At most so many characters: a longer text ends in dots, and in no half of a surrogate pair. */
export const shorten = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "")}…`;

/** Characters of the longest e-mail address. */
export const MAX_EMAIL_LENGTH = 320;
/** An e-mail address, as far as its form says: one `@`, and a domain of at least two parts. */
export const EMAIL = /^[^\s@<>"]+@[^\s@<>".]+(?:\.[^\s@<>".]+)+$/;

export const isEmail = (text: string): boolean => text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);

/** The option nearest to a misspelt word, if it is near at all. */
export function closest(word: string, options: readonly string[]): string | undefined {
  let best: string | undefined;
  if (word.length > 100) return undefined;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const option of options) {
    const steps = distance(word.toLowerCase(), option.toLowerCase());
    if (steps < least) [best, least] = [option, steps];
  }
  return best;
}
