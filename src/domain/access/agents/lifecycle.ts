import { record } from "../../events/record.ts";
import { extended, type Writing } from "../../kernel/context.ts";
import { accessChanged } from "../identity/access-changed.ts";
import { agentConnected, agentRevoked } from "./events.ts";
import { lockAgents, reconnect, revokeWithoutKey } from "./lifecycle.sql.ts";
import { readAgentDetails } from "./read.sql.ts";

/**
 * When agents appear, end and come back. An agent is connected while it has a live credential: an API key or a grant.
 * Both functions lock the agent and then count its credentials, so of two calls that end the last two of them at the same
 * time, the second one ends the agent.
 */

/** Runs after a credential of the agent was stored. Records `agent.connected` if it is new or comes back. */
export async function credentialAdded(ctx: Writing, workspaceId: string, agentId: string): Promise<void> {
  await lockAgents(ctx, workspaceId, [agentId]);
  if (!(await reconnect(ctx.tx, workspaceId, agentId, ctx.now))) return;
  const [agent] = await readAgentDetails(ctx.tx, workspaceId, [agentId], ctx.now);
  record(extended(ctx, { workspace: { id: workspaceId } }), agentConnected, agent!);
}

/**
 * Runs after credentials of these users were revoked, or have expired. Those who are agents and have no live one left
 * are revoked: records `agent.revoked` with the reason for which the last one ended, and tells their streams.
 */
export async function credentialsEnded(ctx: Writing, workspaceId: string, userIds: Iterable<string>): Promise<void> {
  const ids = await lockAgents(ctx, workspaceId, [...new Set(userIds)]);
  const ended = ids.length === 0 ? [] : await revokeWithoutKey(ctx.tx, workspaceId, ids, ctx.now);
  if (ended.length === 0) return;
  const reasons = new Map(ended.map(({ id, reason }) => [id, reason]));
  const place = extended(ctx, { workspace: { id: workspaceId } });
  for (const agent of await readAgentDetails(ctx.tx, workspaceId, [...reasons.keys()], ctx.now)) {
    record(place, agentRevoked, agent, { context: { reason: reasons.get(agent.id) } });
    accessChanged(ctx, workspaceId, agent.id);
  }
}
