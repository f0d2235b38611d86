/**
 * The language of a text's script, and whether it is written from right to left. It decides about the fonts that are
 * asked first, and about the shapes of characters that languages share. Empty for Latin and others.
 */
export type Script = { language: Language | ""; rtl: boolean };

export type Language = keyof typeof SCRIPTS;

/** A part of the text is enough to recognise its script. */
const SAMPLE = 5_000;

/** @param around the language of the document, which decides where a text's characters may be of several languages */
export function scriptOf(text: string, around: string | null = null): Script {
  const sample = text.slice(0, SAMPLE);
  const language = NOT_LATIN.test(sample) ? languageOf(sample, around) : null;
  return { language: language ?? "", rtl: isRightToLeft(sample) };
}

/** Returns the language that a document is probably written in; null for Latin and other scripts. */
export const guessLanguage = (text: string): Language | null => languageOf(text.slice(0, SAMPLE), null);

/** Returns the languages whose scripts a text contains. */
export const languagesIn = (text: string): Language[] =>
  NOT_LATIN.test(text) ? LANGUAGES.filter((language) => text.search(SCRIPTS[language]) >= 0) : [];

/** A text is written from right to left if its first letter is (Unicode, UAX #9, rule P2). */
export function isRightToLeft(text: string): boolean {
  const [letter] = LETTER.exec(text) ?? [];
  return letter !== undefined && RIGHT_TO_LEFT.test(letter);
}

const LETTER = /\p{L}/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
/** Armenian is the first of the scripts below. */
const NOT_LATIN = /[\u0530-\u{10FFFF}]/u;

const LETTERS = /\p{L}/gu;
/** The scripts that Unicode recommends for general use (UAX #31), by the language that most people write in each. */
const SCRIPTS = {
  zh: /\p{Script=Han}/gu,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  ko: /\p{Script=Hangul}/gu,
  ar: /\p{Script=Arabic}/gu,
  he: /\p{Script=Hebrew}/gu,
  hi: /\p{Script=Devanagari}/gu,
  bn: /\p{Script=Bengali}/gu,
  pa: /\p{Script=Gurmukhi}/gu,
  gu: /\p{Script=Gujarati}/gu,
  or: /\p{Script=Oriya}/gu,
  ta: /\p{Script=Tamil}/gu,
  te: /\p{Script=Telugu}/gu,
  kn: /\p{Script=Kannada}/gu,
  ml: /\p{Script=Malayalam}/gu,
  si: /\p{Script=Sinhala}/gu,
  th: /\p{Script=Thai}/gu,
  lo: /\p{Script=Lao}/gu,
  bo: /\p{Script=Tibetan}/gu,
  my: /\p{Script=Myanmar}/gu,
  km: /\p{Script=Khmer}/gu,
  am: /\p{Script=Ethiopic}/gu,
  hy: /\p{Script=Armenian}/gu,
  ka: /\p{Script=Georgian}/gu,
  dv: /\p{Script=Thaana}/gu,
};
const LANGUAGES = Object.keys(SCRIPTS) as Language[];

/** Most letters decide. Half of a Japanese text may be Han characters, so few of its own letters are enough. */
function languageOf(text: string, around: string | null): Language | null {
  const count = (letters: typeof LETTERS) => text.match(letters)?.length ?? 0;
  const counts = Object.fromEntries(LANGUAGES.map((language) => [language, count(SCRIPTS[language])]));
  const { zh = 0, ja = 0, ko = 0 } = counts;
  const total = count(LETTERS);
  if (zh + ja + ko > total / 2) {
    if (ja > total / 20) return "ja";
    if (ko > total / 20) return "ko";
    return around === "ja" || around === "ko" ? around : "zh";
  }
  return LANGUAGES.find((language) => counts[language]! > total / 2) ?? null;
}
