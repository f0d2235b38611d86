/**
 * SQL: an expression with which a transaction commits without waiting for the disk. If Postgres crashes, the commits of
 * the last half second may be lost. Use it only for work that is then repeated. Later commits cannot survive an earlier
 * one that is lost, so nothing that depends on the lost work remains.
 */
export const ASYNC_COMMIT = "set_config('synchronous_commit', 'off', true)";
