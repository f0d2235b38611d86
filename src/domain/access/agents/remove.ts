import { record } from "../../events/record.ts";
import type { Found } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { accessChanged } from "../identity/access-changed.ts";
import { lockRole } from "../identity/lock-role.ts";
import { apiKeyRevoked } from "../keys/events.ts";
import { lockKeysOf, revokeKeysOfAgent } from "../keys/keys.sql.ts";
import { mailKeyCreators } from "../keys/revoked-mail.ts";
import { apiKeyView } from "../keys/view.ts";
import { deleteGrantRecords } from "../oauth/delete-grant-records.ts";
import { byId, checkMayManage, detailOf, idIn, type LockedAgent } from "./agents.ts";
import { credentialsEnded } from "./lifecycle.ts";
import type { AgentDetailView } from "./view.ts";

/** Locks the workspace, the agent's keys and then the agent. */
export async function withKeys(ctx: InWorkspace & Writing, text: string): Promise<Found<LockedAgent> | null> {
  const id = idIn(ctx, text);
  if (!id) return null;
  await lockRole(ctx);
  await lockKeysOf(ctx, ctx.workspace.id, id);
  return byId(ctx, id);
}

/**
 * Disconnects an agent: revokes all its keys and grants and mails their creators. What it wrote stays. An agent without a
 * credential stays as it is.
 * @throws Refusal not_owner_of_resource
 */
export async function remove(ctx: InWorkspace & Writing, { agent, role }: LockedAgent): Promise<AgentDetailView> {
  checkMayManage(ctx, agent, role);
  const revoked = await revokeKeysOfAgent(ctx, ctx.workspace.id, agent.id, "agent_removed");
  if (revoked.length === 0) return agent;
  const grants = revoked.filter(({ kind }) => kind === "oauth");
  if (grants.length > 0) await deleteGrantRecords(ctx, grants);
  for (const key of revoked) record(ctx, apiKeyRevoked, apiKeyView(ctx, key));
  accessChanged(ctx, ctx.workspace.id, agent.id);
  await credentialsEnded(ctx, ctx.workspace.id, [agent.id]);
  await mailKeyCreators(ctx, ctx.workspace.id, revoked, "agent_removed");
  return (await detailOf(ctx, agent.id))!;
}
