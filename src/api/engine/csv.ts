import { slices } from "./parts.ts";

/** Tables as CSV (RFC 4180): CRLF, a header, quotes where a cell needs them, empty for null. */

export const CSV = "text/csv; charset=utf-8";

type Cell = string | number | boolean | null;

/** The header and the rows, in parts. A table without rows is its header. */
export function* csvInParts(columns: readonly string[], rows: readonly object[]): Generator<string> {
  yield record(columns);
  for (const slice of slices(rows)) {
    yield slice.map((row) => record(columns.map((column) => row[column as keyof typeof row]))).join("");
  }
}

const record = (cells: readonly Cell[]) => `${cells.map(written).join(",")}\r\n`;

// What a spreadsheet takes for a formula: these, also in full width, and what it may skip before them (OWASP).
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function written(cell: Cell): string {
  // A number is one, also with a sign before it.
  if (typeof cell !== "string") return cell === null ? "" : String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
