import type { Writing } from "../../kernel/context.ts";
import { deleteRecordsOfGrants } from "./records.sql.ts";

/**
 * Deletes the codes and tokens of revoked grants. It must run after the statement that revoked them, in the same
 * transaction: that statement waited for transactions that were storing a token, so this one sees their tokens.
 */
export const deleteGrantRecords = (ctx: Writing, revoked: { id: string }[]): Promise<void> =>
  deleteRecordsOfGrants(
    ctx.tx,
    revoked.map(({ id }) => id),
  );
