/** Texts that are expensive for patterns and parsers, each repeated to a length, with an end that matches nothing. */

const UNITS: Record<string, string> = {
  letters: "a",
  digits: "1",
  spaces: " ",
  lines: "\n",
  dashes: "-",
  backslashes: "\\",
  quotes: '"',
  "words and dots": "a.",
  addresses: "a@a.",
  "digits and addresses": "1a@",
  slashes: "/",
  links: "http://a ",
  mentions: "@[a](",
  brackets: "[",
  images: "![](",
  angles: "<",
  comments: "<!--",
  ampersands: "&",
  stars: "*a ",
  underscores: "_a",
  backticks: "`",
  "quoted lines": "> ",
  lists: "- a\n",
  tables: "|-\n",
  keys: "#A-1",
  commas: ",",
  accents: "e\u0301",
  emoji: "😀",
  "letters that grow": "\u0130",
};

export const worstTexts = (length: number): { what: string; text: string }[] =>
  Object.entries(UNITS).map(([what, unit]) => ({ what, text: `${repeated(unit, length - 1)}\u0001` }));

/** A part of each, for texts too short for any of them to take long alone. */
export function worstOfAll(length: number): string {
  const units = Object.values(UNITS);
  const text = units.map((unit) => repeated(unit, Math.floor(length / units.length))).join("");
  return text.slice(0, length).toWellFormed();
}

const repeated = (unit: string, length: number) =>
  unit
    .repeat(Math.ceil(Math.max(0, length) / unit.length))
    .slice(0, Math.max(0, length))
    .toWellFormed();
