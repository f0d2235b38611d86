import { createRequire } from "node:module";

/** Families with regular and bold weights, by the names of their packages. All are under the SIL Open Font License 1.1. */
const FAMILIES = {
  "noto-sans": "Noto Sans",
  "noto-sans-mono": "Noto Sans Mono",
  vazirmatn: "Vazirmatn",
  "noto-sans-hebrew": "Noto Sans Hebrew",
  "noto-sans-devanagari": "Noto Sans Devanagari",
  "noto-sans-sc": "Noto Sans SC",
  "noto-sans-jp": "Noto Sans JP",
  "noto-sans-kr": "Noto Sans KR",
};
const WEIGHTS = ["400Regular", "700Bold"];

/** Returns the paths of all font files. */
export function fontFiles(): string[] {
  const { resolve } = createRequire(import.meta.url);
  const file = (name: string, family: string, style: string) =>
    resolve(`@expo-google-fonts/${name}/${style}/${family.replaceAll(" ", "")}_${style}.ttf`);
  return [
    ...Object.entries(FAMILIES).flatMap(([name, family]) => WEIGHTS.map((weight) => file(name, family, weight))),
    ...WEIGHTS.map((weight) => file("noto-sans", "Noto Sans", `${weight}_Italic`)),
    file("noto-color-emoji", "Noto Color Emoji", "400Regular"),
  ];
}

/** The family of each language, which is asked first. Asking others in vain takes time and makes files larger. */
const OF_LANGUAGE: Record<string, string> = {
  ar: "Vazirmatn",
  he: "Noto Sans Hebrew",
  hi: "Noto Sans Devanagari",
  // Chinese, Japanese and Korean share characters that each draws in its own way.
  zh: "Noto Sans SC",
  ja: "Noto Sans JP",
  ko: "Noto Sans KR",
};
const TEXT = Object.values(FAMILIES).filter((family) => family !== "Noto Sans Mono");

const orderOf = (first: string[]): string[] => [...new Set([...first, ...TEXT, "Noto Color Emoji"])];

/** The families of each language, in the order in which they are asked for a character. `""` is for Latin scripts. */
export const FONT_ORDER: Record<string, string[]> = {
  "": orderOf([]),
  ...Object.fromEntries(Object.entries(OF_LANGUAGE).map(([language, family]) => [language, orderOf([family])])),
};
