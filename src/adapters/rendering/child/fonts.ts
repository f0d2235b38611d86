import { createRequire } from "node:module";
import { type Language, languagesIn } from "./script.ts";

/**
 * The family of each language, which is asked first. Asking others in vain takes time and makes files larger. The Noto
 * fonts of five scripts place marks in a way in which copied text has letters twice, so these have another family.
 */
const OF_LANGUAGE: Record<Language, string> = {
  ar: "Vazirmatn",
  he: "Noto Sans Hebrew",
  hi: "Noto Sans Devanagari",
  // Chinese, Japanese and Korean share characters that each draws in its own way.
  zh: "Noto Sans SC",
  ja: "Noto Sans JP",
  ko: "Noto Sans KR",
  bn: "Hind Siliguri",
  pa: "Noto Sans Gurmukhi",
  gu: "Noto Sans Gujarati",
  or: "Noto Sans Oriya",
  ta: "Noto Sans Tamil",
  te: "Noto Sans Telugu",
  kn: "Noto Sans Kannada",
  ml: "Noto Sans Malayalam",
  si: "Noto Sans Sinhala",
  th: "IBM Plex Sans Thai",
  lo: "Phetsarath",
  bo: "Noto Serif Tibetan",
  my: "Noto Sans Myanmar",
  km: "Battambang",
  am: "Noto Sans Ethiopic",
  hy: "Noto Sans Armenian",
  ka: "Noto Sans Georgian",
  dv: "Noto Sans Thaana",
};

/** Families of any text. They have symbols, too. */
const LATIN = "Noto Sans";
const EAST_ASIAN = [OF_LANGUAGE.zh, OF_LANGUAGE.ja, OF_LANGUAGE.ko];
const WITHOUT_BOLD = [
  "Noto Color Emoji",
  "Noto Sans Math",
  "Noto Sans Symbols",
  "Noto Sans Symbols 2",
  "Noto Sans Arabic",
];

/** Returns the paths of all font files. All are under the SIL Open Font License 1.1. Typst reads those that it uses. */
export function fontFiles(): string[] {
  const { resolve } = createRequire(import.meta.url);
  const file = (family: string, style: string) =>
    resolve(`@expo-google-fonts/${packageOf(family)}/${style}/${family.replaceAll(" ", "")}_${style}.ttf`);
  return [
    ...[LATIN, "Noto Sans Mono", ...Object.values(OF_LANGUAGE)].flatMap((family) => [
      file(family, "400Regular"),
      file(family, "700Bold"),
    ]),
    file(LATIN, "400Regular_Italic"),
    file(LATIN, "700Bold_Italic"),
    ...WITHOUT_BOLD.map((family) => file(family, "400Regular")),
  ];
}

const packageOf = (family: string) => family.toLowerCase().replaceAll(" ", "-");

/**
 * Returns the families of each language, in the order in which they are asked for a character. `""` is for Latin scripts.
 * No others are asked, so that a PDF does not depend on the fonts of the machine.
 *
 * @param text all text of the document; the families of its scripts come early
 */
export function fontOrder(text: string): Record<string, string[]> {
  const ofText = languagesIn(text).map((language) => OF_LANGUAGE[language]);
  const families = [LATIN, ...ofText, ...EAST_ASIAN, ...WITHOUT_BOLD, ...Object.values(OF_LANGUAGE)];
  const ofLanguage = Object.entries(OF_LANGUAGE).map(([language, first]) => [language, [first, ...families]] as const);
  return Object.fromEntries(
    [["", families] as const, ...ofLanguage].map(([language, order]) => [language, [...new Set(order)]]),
  );
}
