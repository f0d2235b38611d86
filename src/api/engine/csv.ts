import { slices } from "./parts.ts";

/**
 * Tables as CSV (RFC 4180): CRLF, a header line, quotes where a cell needs them. Null is an empty cell, and a list is one
 * cell. The mark of UTF-8 comes first: without it, spreadsheets read another encoding.
 */

export const CSV = "text/csv; charset=utf-8";

type Cell = string | number | boolean | null | readonly string[];

const BOM = "\ufeff";

/** The header and the rows, in parts. A table without rows consists of its header. */
export function* csvInParts(columns: readonly string[], rows: readonly object[], bom: boolean): Generator<string> {
  yield csvHeader(columns, bom);
  for (const slice of slices(rows)) yield csvRows(columns, slice);
}

export const csvHeader = (columns: readonly string[], bom: boolean): string => `${bom ? BOM : ""}${record(columns)}`;

export const csvRows = (columns: readonly string[], rows: readonly object[]): string =>
  rows.map((row) => record(columns.map((column) => row[column as keyof typeof row]))).join("");

const record = (cells: readonly Cell[]) => `${cells.map(written).join(",")}\r\n`;

// Spreadsheets treat text that starts with one of these characters as a formula, also in full width (OWASP).
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function written(cell: Cell): string {
  if (Array.isArray(cell)) return written(cell.join("; "));
  // Numbers are never formulas, even with a leading sign.
  if (typeof cell !== "string") return cell === null ? "" : String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
