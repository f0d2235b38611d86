/** Sort key of the last row seen, id last. */
export type Cursor = (string | number | null)[];

/** Where a list goes on, and how far. */
export type Paging = {
  limit: number;
  after: Cursor | null;
  /** Makes the opaque cursor behind a row. */
  cursor(key: Cursor): string;
};

/** Cuts the one row too many that a list reads to know whether it goes on. */
export function pageOf<T>(
  rows: T[],
  paging: Paging,
  keyOf: (row: T) => Cursor,
): { rows: T[]; next_cursor: string | null } {
  if (rows.length <= paging.limit) return { rows, next_cursor: null };
  const page = rows.slice(0, paging.limit);
  return { rows: page, next_cursor: paging.cursor(keyOf(page.at(-1)!)) };
}

/** All rows at once, for lists without paging. */
export const wholeList = <T>(rows: T[]): { rows: T[]; next_cursor: null } => ({ rows, next_cursor: null });
