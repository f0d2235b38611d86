import type { BlockOptions } from "./blocks.ts";
import { columnsOf } from "./columns.ts";
import type { Layout } from "./layout.ts";
import type { Run, RunsOf } from "./runs.ts";
import { scriptOf } from "./script.ts";
import { splitLine } from "./split-line.ts";
import { attributeOf, type Token, textOf } from "./token.ts";

/** Rows that do not fit into this become lines of text. A cell takes about 0.1 ms. */
const MAX_CELLS = 6_000;
/** Tables with more columns become lines of text, because a column would be narrower than a word. */
const MAX_COLUMNS = 16;
const UNITS_PER_CELL = 2;
/** A table takes this much by itself. */
const UNITS_PER_TABLE = 3;
/** Characters of a cell. A longer one would be split over pages. */
const MAX_CELL = 2_000;

/** Adds the table at a position of the tokens. Returns the position of its last token. */
export function addTable(layout: Layout, tokens: readonly Token[], start: number, options: BlockOptions): number {
  const { aligns, rows, end } = readTable(tokens, start);
  const header = rows[0] ?? [];
  const width = header.length;
  const script = scriptOf(header.map(textOf).join(" "), options.language);
  const isWide = width > MAX_COLUMNS || rows.some((row) => row.some((cell) => cell.content.length > MAX_CELL));
  const shown = isWide ? 0 : rowsThatFit(layout, rows.length, width);
  if (shown > 0) {
    const { size, shares } = columnsOf(rows.slice(0, shown));
    const [head, ...body] = rows
      .slice(0, shown)
      .map((row) => row.map((cell, at) => options.runsOf(cell, Math.max(3, Math.floor(shares[at]!)))));
    layout.add(["table", layout.indent(), script, size, shares, aligns, head!, body], 0);
  }
  for (const row of rows.slice(shown)) {
    if (layout.isFull()) layout.addRest(row.map(textOf).join(SEPARATOR));
    else for (const line of splitLine(lineOf(row, options.runsOf))) layout.add(["p", layout.indent(), script, line], 1);
  }
  return end;
}

const SEPARATOR = "  |  ";

const lineOf = (row: Token[], runsOf: RunsOf): Run[] =>
  row.flatMap((cell, at) => (at === 0 ? runsOf(cell) : [SEPARATOR, ...runsOf(cell)]));

function rowsThatFit(layout: Layout, rows: number, width: number): number {
  layout.take(UNITS_PER_TABLE);
  const wanted = Math.min(rows, Math.floor(MAX_CELLS / width)) * width * UNITS_PER_CELL;
  return Math.floor(layout.take(wanted) / (width * UNITS_PER_CELL));
}

function readTable(tokens: readonly Token[], start: number) {
  const aligns: string[] = [];
  const rows: Token[][] = [];
  let end = start;
  for (; tokens[end]!.type !== "table_close"; end++) {
    const token = tokens[end]!;
    if (token.type === "tr_open") rows.push([]);
    if (token.type === "th_open") aligns.push(attributeOf(token, "style").replace("text-align:", ""));
    if (token.type === "th_open" || token.type === "td_open") rows.at(-1)!.push(tokens[end + 1]!);
  }
  return { aligns, rows, end };
}
