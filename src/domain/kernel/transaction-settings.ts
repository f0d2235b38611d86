/**
 * SQL: an expression that lets the transaction it stands in commit without waiting for the disk. For work that is done
 * again when a crash of Postgres takes its last half second back: nothing later can be on disk without it, so what follows
 * from it is taken back too.
 */
export const ASYNC_COMMIT = "set_config('synchronous_commit', 'off', true)";
