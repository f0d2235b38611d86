import { record } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import { readAgents } from "../agents/agents.sql.ts";
import { agentRevoked } from "../agents/events.ts";
import { deleteRecordsOfGrants } from "./records.sql.ts";

/**
 * What follows when grants were revoked: their codes and tokens go, and it is told. After the statement that revoked
 * them, in the same transaction: it waited for whoever was storing a token, so that this one sees it.
 */
export async function forgetGrants(
  ctx: Writing,
  workspaceId: string,
  revoked: { id: string; user_id: string }[],
): Promise<void> {
  await deleteRecordsOfGrants(
    ctx.tx,
    revoked.map(({ id }) => id),
  );
  const agentIds = [...new Set(revoked.map(({ user_id }) => user_id))];
  for (const data of await readAgents(ctx.tx, workspaceId, agentIds, ctx.now)) {
    record({ ...ctx, workspace: { id: workspaceId } }, agentRevoked, data);
  }
}
