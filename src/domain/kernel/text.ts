import { distance } from "fastest-levenshtein";

/**
 * Removes the given character from the end of `text`. A pattern such as `=+$` would try every position and take
 * quadratic time.
 */
export function withoutTrailing(text: string, mark: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === mark) end--;
  return text.slice(0, end);
}

/** White space that ends a line or moves to a column. It becomes a space within one line of text. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Marks that change the writing direction of the following text, even after the end of this one. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;
/**
 * Characters that no line of text needs: the other control characters, and lone surrogates. Joiners stay, because emoji
 * and several scripts need them.
 */
const HIDDEN = /[\p{Cc}\p{Cs}\ufff9-\ufffb]/gu;
/** Some letters and symbols are invisible too: fillers, and the blank of Braille. */
const SEEN = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

/** The text on one line and in one direction. Line breaks and tabs become spaces; direction marks are removed. */
export const flattened = (text: string): string => text.replace(BREAKS, " ").replace(TURNS, "");

/** Whether a text contains characters that no line of text needs. */
export const hasHidden = (text: string): boolean => text.search(HIDDEN) >= 0;

/** Whether a text has at least one visible character. */
export const canBeSeen = (text: string): boolean => SEEN.test(text);

/** Converts a text from another system, which cannot be refused, to one line. */
export const singleLine = (text: string): string => flattened(text).replace(HIDDEN, "").trim();

/** Cuts a text to at most `max` characters. A cut text ends with an ellipsis and never within a surrogate pair. */
export const shorten = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "")}…`;

/** Length in characters, as schemas count it: a character outside the Basic Multilingual Plane, such as an emoji, is one. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    if (text.codePointAt(at)! > 0xffff) {
      length--;
      at++;
    }
  }
  return length;
}

/** Maximum length of an e-mail address, in characters. */
export const MAX_EMAIL_LENGTH = 320;
/** The form of an e-mail address: one `@`, and a domain of at least two parts. */
export const EMAIL = /^[^\s@<>"]+@[^\s@<>".]+(?:\.[^\s@<>".]+)+$/;

export const isEmail = (text: string): boolean => text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);

/** The option that is most similar to a misspelt word; undefined if more than a third of its letters are wrong. */
export function closest(word: string, options: readonly string[]): string | undefined {
  let best: string | undefined;
  if (word.length > 100) return undefined;
  let least = Math.floor(word.length / 3) + 1;
  const typed = word.toLowerCase();
  for (const option of options) {
    if (Math.abs(option.length - typed.length) >= least) continue;
    const steps = mistakesIn(typed, option.toLowerCase());
    if (steps < least) [best, least] = [option, steps];
  }
  return best;
}

/** How many letters are missing, wrong or too many. Two letters in the wrong order are one mistake. */
function mistakesIn(word: string, meant: string): number {
  const steps = distance(word, meant);
  if (steps !== 2 || word.length !== meant.length) return steps;
  const at = [...word].findIndex((letter, n) => letter !== meant[n]);
  return word[at] === meant[at + 1] && word[at + 1] === meant[at] ? 1 : 2;
}
