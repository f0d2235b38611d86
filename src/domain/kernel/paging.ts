import { own } from "./own.ts";

/** Sort key of the last row of the previous page. Its last value is the id. */
export type Cursor = (string | number | null)[];

/** The position and size of a page. */
export type Paging = {
  limit: number;
  after: Cursor | null;
  /** Makes the opaque cursor for the page after a row. */
  cursor(key: Cursor): string;
};

/** Total bytes of texts after which a page ends. Without this, a page could have tens of megabytes. */
export const PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Drops the extra row that a list reads to find out whether there is another page, and rows beyond PAGE_BYTES. A page has
 * at least one row, so every client reaches the end.
 * @param bytesOf the size of a row's texts, for statements that compute it themselves (`untilHeavy`)
 */
export function pageOf<T>(
  rows: T[],
  paging: Paging,
  keyOf: (row: T) => Cursor,
  bytesOf: (row: T) => number = bytesOfTexts,
): { rows: T[]; next_cursor: string | null } {
  let length = 0;
  for (let bytes = 0; length < Math.min(rows.length, paging.limit); length++) {
    bytes += bytesOf(rows[length]!);
    if (bytes > PAGE_BYTES && length > 0) break;
  }
  if (length === rows.length) return { rows, next_cursor: null };
  const page = rows.slice(0, length);
  return { rows: page, next_cursor: paging.cursor(keyOf(page.at(-1)!)) };
}

/** Bytes of all texts in a value. Short texts count as ASCII, because this runs for every row of every list. */
export function bytesOfTexts(value: unknown): number {
  if (typeof value === "string") return value.length < 1_024 ? value.length : Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 0;
  let bytes = 0;
  if (Array.isArray(value)) {
    for (const part of value) bytes += bytesOfTexts(part);
    return bytes;
  }
  // A row has no inherited properties. Unlike Object.values, this allocates nothing.
  const row = value as Record<string, unknown>;
  for (const name in row) bytes += bytesOfTexts(own(row, name));
  return bytes;
}

/** All rows, for lists without paging. */
export const wholeList = <T>(rows: T[]): { rows: T[]; next_cursor: null } => ({ rows, next_cursor: null });
