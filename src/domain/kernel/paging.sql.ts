import { PAGE_BYTES } from "./paging.ts";

/** A row with the size of its long texts. */
export type Weighed<Row> = Row & { bytes: number };

/**
 * A statement whose rows have a column `bytes`, cut after the first row beyond PAGE_BYTES. That row, which is the second
 * at the earliest, tells pageOf() that the list goes on.
 * @param order the statement's order, by names of its columns.
 */
export const untilHeavy = (statement: string, order: string): string => `
  select * from (
    select page.*, sum(bytes) over w - bytes as bytes_before, row_number() over w as place
    from (${statement}) page window w as (order by ${order} rows unbounded preceding)) page
  where bytes_before <= ${PAGE_BYTES} or place <= 2 order by ${order}`;
