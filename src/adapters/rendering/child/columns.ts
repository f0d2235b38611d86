import { widthOf } from "./break-words.ts";
import { type Token, textOf } from "./token.ts";

/** Characters that fit into a line over all columns, in text of 10 points. */
const LINE = 78;
/** Space around the text of a cell, in characters. */
const PADDING = 2;
/**
 * The size of the text in points, and the length of words that are not broken. Wide tables have smaller text, and the
 * widest ones broken words.
 */
const LAYOUTS = [
  { size: 10, longest: 24 },
  { size: 8.5, longest: 24 },
  { size: 7, longest: 24 },
  { size: 7, longest: 16 },
  { size: 7, longest: 11 },
];

/** Rows that decide about the columns. */
const SAMPLE = 200;
/** Longer texts have many lines anyway. */
const MAX_TEXT = 150;

/**
 * Returns the size of a table's text, and how many characters fit into a line of each column. If possible each column is
 * as wide as its longest word, and columns with longer texts share the rest.
 */
export function columnsOf(rows: readonly Token[][]): { size: number; shares: number[] } {
  const columns = rows[0]!.map((_, at) => measure(rows.slice(0, SAMPLE).map((row) => textOf(row[at]))));
  const room = (size: number) => (LINE * 10) / size - columns.length * PADDING;
  const weights = sum(columns.map(({ text }) => text));
  for (const { size, longest } of LAYOUTS) {
    const words = columns.map(({ word }) => Math.min(word, longest));
    const rest = room(size) - sum(words);
    if (rest >= 0) return { size, shares: columns.map(({ text }, at) => words[at]! + (rest * text) / weights) };
  }
  const { size } = LAYOUTS.at(-1)!;
  return { size, shares: columns.map(() => room(size) / columns.length) };
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

/** The lengths of the longest word, and a weight for the longest text. Headers are bold, so a little wider. */
function measure(texts: string[]) {
  const words = texts.flatMap((text) => text.slice(0, MAX_TEXT).split(SPACES)).map(widthOf);
  const text = Math.max(...texts.map(({ length }) => Math.min(length, MAX_TEXT)), 1);
  return { word: Math.max(...words, 2) + 1, text: Math.sqrt(text) };
}

const SPACES = /\s/;
