import { PAGE_BYTES } from "./paging.ts";

/** A row with the size of its long texts, in bytes. */
export type Weighed<Row> = Row & { bytes: number };

/**
 * Cuts the result of a statement after the first row that exceeds PAGE_BYTES in total, by its column `bytes`. That row is
 * never the first one. It tells pageOf() that the list continues.
 * @param order the statement's order, by names of its columns
 */
export const untilHeavy = (statement: string, order: string): string => `
  select * from (
    select page.*, sum(bytes) over w - bytes as bytes_before, row_number() over w as place
    from (${statement}) page window w as (order by ${order} rows unbounded preceding)) page
  where bytes_before <= ${PAGE_BYTES} or place <= 2 order by ${order}`;

/** SQL: a name in the order of dictionaries, in which é stands beside e. Indexes have the same expression. */
export const byName = (name: string): string => `${name} collate "und-x-icu"`;
