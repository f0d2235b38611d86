/** SET LOCAL statements for `Database.transaction`, joined with `;`. */

/**
 * Does not wait for the disk. For work that is done again when a crash of Postgres takes its last half second back:
 * nothing later can be on disk without it, so what follows from it is taken back too.
 */
export const FORGETFUL = "set local synchronous_commit = off";

/**
 * For statements on tables that are empty one minute and have a hundred thousand rows the next, before their statistics
 * say so: only the index in the order asked for stays fast.
 */
export const THROUGH_INDEXES = [
  "set local enable_seqscan = off",
  "set local enable_bitmapscan = off",
  "set local enable_sort = off",
  "set local enable_incremental_sort = off",
].join(";");
