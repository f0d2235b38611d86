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

/** Spaces of all widths, and white space that ends a line or moves to a column. */
const SPACES = /\p{White_Space}+/gu;
/** Characters that cannot be seen: marks of direction, joiners, variation selectors, fillers and blanks without width. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}+/gu;
/** Names in English need no further look. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
/**
 * Characters that no line of text needs: the other control characters, and lone surrogates. Joiners stay, because emoji
 * and several scripts need them.
 */
const HIDDEN = /[\p{Cc}\p{Cs}\ufff9-\ufffb]/gu;
/** Some letters and symbols are invisible too: fillers, and the blank of Braille. */
const SEEN = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * The text on one line, as names are stored and compared: NFC, one space for each run of spaces and line breaks, and without
 * unseen characters that its script does not need. Compatibility forms stay as they are.
 */
export const flattened = (text: string): string =>
  PLAIN.test(text) ? text : nfc(text).replace(UNSEEN, keptUnseen).replace(SPACES, " ");

/** Letters whose shape depends on joiners. */
const JOINED =
  /[\p{scx=Adlm}\p{scx=Arab}\p{scx=Mand}\p{scx=Mong}\p{scx=Nkoo}\p{scx=Phag}\p{scx=Rohg}\p{scx=Syrc}\p{scx=Beng}\p{scx=Deva}\p{scx=Gujr}\p{scx=Guru}\p{scx=Khmr}\p{scx=Knda}\p{scx=Mlym}\p{scx=Mymr}\p{scx=Orya}\p{scx=Sinh}\p{scx=Taml}\p{scx=Telu}\p{scx=Tibt}]/u;
const LETTER = /[\p{L}\p{M}]/u;
const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;
const SHAPED = /[\p{scx=Hani}\p{scx=Mymr}\p{scx=Phag}\p{scx=Mong}]/u;
const JAMO = /[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/u;
const [NON_JOINER, JOINER, EMOJI_STYLE] = ["\u200c", "\u200d", "\ufe0f"];

/** Those characters of a run of unseen ones that change how their neighbours look. */
function keptUnseen(run: string, at: number, text: string): string {
  const before = String.fromCodePoint(text.codePointAt(at - (/[\udc00-\udfff]/.test(text[at - 1] ?? "") ? 2 : 1)) ?? 0);
  const after = String.fromCodePoint(text.codePointAt(at + run.length) ?? 0);
  if (EMOJI.test(before) || (run[0] === EMOJI_STYLE && after === "\u20e3")) {
    const [style = ""] = /^[\ufe0e\ufe0f]/.exec(run) ?? [];
    // The flags of England, Scotland and Wales spell their names in unseen letters.
    const [flag = ""] = /^[\u{e0020}-\u{e007e}]{1,8}\u{e007f}/u.exec(run) ?? [];
    return flag || style + (run.includes(JOINER) && EMOJI.test(after) ? JOINER : "");
  }
  const joins = (letter: string) => LETTER.test(letter) && JOINED.test(letter);
  if (run.includes(JOINER) && (joins(before) || joins(after))) return JOINER;
  if (run.includes(NON_JOINER) && joins(before) && joins(after)) return NON_JOINER;
  if (JAMO.test(before) || JAMO.test(after)) return /[\u115f\u1160]/.exec(run)?.[0] ?? "";
  const [variant = ""] = /^[\ufe00-\ufe0d\u180b-\u180d\u180f\u{e0100}-\u{e01ef}]/u.exec(run) ?? [];
  return SHAPED.test(before) ? variant : "";
}

/** The first character that may join with the one before it. */
const FIRST_MARK = 0x300;
const HAS_MARKS = /[\u0300-\uffff]/;
/** Characters that are normalized together: from `PIECE` on up to one that joins with nothing, but no more than `MOST`. */
const PIECE = 100;
const MOST = 300;

/** As `normalize("NFC")`, which takes seconds for a long text of marks, because it sorts the marks of a letter. */
function nfc(text: string): string {
  if (!HAS_MARKS.test(text)) return text;
  let whole = "";
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = from + PIECE;
    while (to < from + MOST && text.charCodeAt(to) >= FIRST_MARK) to++;
    whole += text.slice(from, to).normalize("NFC");
  }
  return whole;
}

/**
 * Folds the case of a text: `Straße` and `STRASSE` are equal, and so are both forms of sigma, and `İ` and `i`. The SQL function
 * `name_key` does the same.
 */
export const foldCase = (text: string): string =>
  text.toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ").replaceAll("i\u0307", "i");

/** The form in which names are compared: those with the same key are the same name. */
export const nameKey = (name: string): string => foldCase(flattened(name).trim());

/** The text with every line end (CRLF, CR or LF) as LF, so that equal texts are equal whichever system they come from. */
export const withLineFeeds = (text: string): string => (text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text);

/** The lines of a text, one at a time: as `split("\\n")` would return them. */
export function* linesIn(text: string): Iterable<string> {
  for (let from = 0; from <= text.length; ) {
    const newline = text.indexOf("\n", from);
    const to = newline === -1 ? text.length : newline;
    yield text.slice(from, to);
    from = to + 1;
  }
}

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

/** The option that is most similar to a misspelt word; undefined if more than a third of its letters are wrong. */
export function closest(word: string, options: readonly string[]): string | undefined {
  let best: string | undefined;
  if (word.length > 100) return undefined;
  let least = Math.floor(word.length / 3) + 1;
  const typed = nameKey(word);
  for (const option of options) {
    if (Math.abs(option.length - typed.length) >= least) continue;
    const steps = mistakesIn(typed, nameKey(option));
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
