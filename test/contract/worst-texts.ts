/** Texts that patterns and parsers have trouble with, each repeated to a length, with an end that fits nothing. */

const UNITS = {
  letters: "a",
  digits: "1",
  spaces: " ",
  lines: "\n",
  dashes: "-",
  backslashes: "\\",
  quotes: '"',
  dots: ".",
  "words and dots": "a.",
  at: "@",
  addresses: "a@a.",
  slashes: "/",
  links: "http://a ",
  mentions: "@[a](",
  brackets: "[",
  images: "![](",
  angles: "<",
  ampersands: "&",
  stars: "*a ",
  underscores: "_a",
  backticks: "`",
  "quoted lines": "> ",
  lists: "- a\n",
  tables: "|-\n",
  hashes: "#A-1",
  commas: ",",
  percent: "%",
  accents: "e\u0301",
  emoji: "😀",
  "growing letters": "\u0130",
} satisfies Record<string, string>;

export const worstTexts = (length: number): { what: string; text: string }[] =>
  Object.entries(UNITS).map(([what, unit]) => ({
    what,
    text: `${unit
      .repeat(Math.ceil(length / unit.length))
      .slice(0, Math.max(0, length - 1))
      .toWellFormed()}\u0001`,
  }));
