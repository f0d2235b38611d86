import { record } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import { agentRevoked } from "../agents/events.ts";
import { readAgentDetails } from "../agents/read.sql.ts";
import { deleteRecordsOfGrants } from "./records.sql.ts";

/**
 * Deletes the codes and tokens of revoked grants and records events. It must run after the statement that revoked
 * them, in the same transaction: that statement waited for transactions that were storing a token, so this one sees
 * their tokens.
 */
export async function deleteGrantRecords(
  ctx: Writing,
  workspaceId: string,
  revoked: { id: string; user_id: string }[],
): Promise<void> {
  await deleteRecordsOfGrants(
    ctx.tx,
    revoked.map(({ id }) => id),
  );
  const agentIds = [...new Set(revoked.map(({ user_id }) => user_id))];
  for (const data of await readAgentDetails(ctx.tx, workspaceId, agentIds, ctx.now)) {
    record({ ...ctx, workspace: { id: workspaceId } }, agentRevoked, data);
  }
}
