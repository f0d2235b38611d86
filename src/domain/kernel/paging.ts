/** Sort key of the last row seen, id last. */
export type Cursor = (string | number | null)[];

/** Where a list goes on, and how far. */
export type Paging = {
  limit: number;
  after: Cursor | null;
  /** Makes the opaque cursor behind a row. */
  cursor(key: Cursor): string;
};

/** Bytes of long texts after which a page ends, so that it does not become tens of megabytes. */
export const PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Drops the extra row that a list reads to know whether it goes on, and rows beyond PAGE_BYTES. A page has one row at
 * least, so every client gets to the end.
 * @param bytesOf the size of a row's long texts, if it has any.
 */
export function pageOf<T>(
  rows: T[],
  paging: Paging,
  keyOf: (row: T) => Cursor,
  bytesOf: (row: T) => number = () => 0,
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

/** All rows at once, for lists without paging. */
export const wholeList = <T>(rows: T[]): { rows: T[]; next_cursor: null } => ({ rows, next_cursor: null });
