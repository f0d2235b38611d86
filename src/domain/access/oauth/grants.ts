import { audit } from "../../events/audit/audit.ts";
import { extended, type InWorkspace, type WithCredential, type Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { findAgentOfClient } from "../agents/agents.sql.ts";
import { createAgent } from "../agents/create.ts";
import { credentialAdded, credentialsEnded } from "../agents/lifecycle.ts";
import { accessChanged } from "../identity/access-changed.ts";
import { lockRole } from "../identity/lock-role.ts";
import { enforceAgentLimit } from "../keys/agent.ts";
import { checkGrant } from "../keys/grant.ts";
import { mailKeyCreators, type RevokedKey } from "../keys/revoked-mail.ts";
import { grantApproved, grantRevoked } from "./audits.ts";
import { approveClient } from "./clients.sql.ts";
import { deleteGrantRecords } from "./delete-grant-records.ts";
import { type GrantChoice, type GrantRow, insertGrant, listLiveGrants, revokeGrants } from "./grants.sql.ts";

/** Grants tie a client, its agent and its scopes to the person who approved it. */

/** Days after which a person must approve again, regardless of refreshes. */
export const GRANT_DAYS = 365;

/** When an approval that is given now ends. */
export const endOfGrant = (now: string): string => new Date(Date.parse(now) + GRANT_DAYS * 86_400_000).toISOString();

const MAX_LISTED = 200;

export type Approval = { clientId: string; clientName: string; scopes: string[] };

/**
 * Approves a client on behalf of the caller. The client becomes an agent of the workspace. If the same person
 * approves the same client again, it stays the same agent. Returns the grant's id.
 * @throws Refusal insufficient_role, scope_exceeds_grantor, plan_limit_reached, not_found if the client was revoked or is
 *   an app of another workspace
 */
export async function approve(
  ctx: InWorkspace & WithCredential & Writing,
  { clientId, clientName, scopes }: Approval,
): Promise<string> {
  const { principal, workspace, now } = ctx;
  const role = await lockRole(ctx);
  // An agent sees what a member sees, which is more than a guest does.
  if (role === "guest") refuse("insufficient_role", { message: "Guests cannot connect agents." });
  checkGrant({ role }, ctx.credential, scopes);

  const agentId = await agentOf(ctx, clientId, clientName);
  if (!(await approveClient(ctx.tx, workspace.id, clientId, now))) refuse("not_found", { message: NOT_HERE });
  const id = newId();
  const expiresAt = endOfGrant(now);
  const grant = { id, agentId, clientId, name: clientName, scopes, approvedBy: principal.user_id, expiresAt, now };
  await insertGrant(ctx.tx, workspace.id, grant);
  audit(ctx, grantApproved, grant, {
    scopes: [null, scopes],
    client_id: [null, clientId],
    agent_id: [null, agentId],
    expires_at: [null, expiresAt],
  });
  await credentialAdded(ctx, workspace.id, agentId);
  return id;
}

const NOT_HERE = "This program was revoked, or belongs to another workspace. Start again from the program.";

async function agentOf(ctx: InWorkspace & Writing, clientId: string, name: string): Promise<string> {
  const { principal, workspace, now } = ctx;
  const owned = { ownerId: principal.user_id, clientId };
  const known = await findAgentOfClient(ctx.tx, workspace.id, { ...owned, now });
  // An admin has suspended the agent. A new approval must not undo that.
  if (known?.status === "suspended") refuse("insufficient_role", { message: "This agent is suspended here." });
  if (known?.works) return known.id;
  await enforceAgentLimit(ctx);
  return known?.id ?? createAgent(ctx, workspace.id, { name, ...owned });
}

/** Connected agents, newest first: people see their own, owners and admins see all. At most 200. */
export function listGrants(ctx: InWorkspace): Promise<GrantRow[]> {
  const { principal, workspace, now } = ctx;
  const approvedBy = isAdmin(principal.role) ? null : principal.user_id;
  return listLiveGrants(ctx.db, workspace.id, { approvedBy, now, limit: MAX_LISTED });
}

/**
 * Disconnects an agent for good: revokes the named grant and all others by the same person for that agent. People can
 * revoke their own grants; owners and admins can revoke any.
 * @throws Refusal not_found
 */
export async function revokeGrant(ctx: InWorkspace & Writing, text: string): Promise<void> {
  const id = readId(text) ?? refuse("not_found");
  const own = isAdmin(ctx.principal.role) ? {} : { approvedBy: ctx.principal.user_id };
  const ended = await end(ctx, ctx.workspace.id, { likeId: id, ...own }, "user");
  if (ended.length === 0) refuse("not_found");
  await mailKeyCreators(ctx, ctx.workspace.id, ended, "user");
}

/** Revokes all grants of a client in a workspace, by whomever they were approved, and mails those people. */
export async function revokeGrantsOfClient(ctx: Writing, workspaceId: string, clientId: string): Promise<void> {
  await mailKeyCreators(ctx, workspaceId, await end(ctx, workspaceId, { clientId }, "user"), "user");
}

/** Revokes all grants of a person or agent that leaves. The caller mails the creators, and ends the agents. */
export const revokeGrantsOf = (ctx: Writing, workspaceId: string, userId: string): Promise<RevokedKey[]> =>
  revokeChosen(ctx, workspaceId, { agentOrApprover: userId }, "member_removed");

/** Revokes a grant whose holder has proved to have it: by a revocation request, or by using a secret twice. */
export async function revokeHeldGrant(
  ctx: Writing,
  workspaceId: string,
  id: string,
  reason: "user" | "leaked",
): Promise<void> {
  await mailKeyCreators(ctx, workspaceId, await end(ctx, workspaceId, { id }, reason), reason);
}

/** Revokes grants, and the agents that have no other credential. */
async function end(ctx: Writing, workspaceId: string, choice: GrantChoice, reason: string): Promise<RevokedKey[]> {
  const ended = await revokeChosen(ctx, workspaceId, choice, reason);
  await credentialsEnded(
    ctx,
    workspaceId,
    ended.map(({ user_id }) => user_id),
  );
  return ended;
}

async function revokeChosen(ctx: Writing, workspaceId: string, choice: GrantChoice, reason: string) {
  const ended = await revokeGrants(ctx.tx, workspaceId, choice, { now: ctx.now, reason });
  if (ended.length > 0) await deleteGrantRecords(ctx, ended);
  const place = extended(ctx, { workspace: { id: workspaceId } });
  for (const grant of ended) audit(place, grantRevoked, grant, { revoke_reason: [null, reason] });
  for (const userId of new Set(ended.map(({ user_id }) => user_id))) accessChanged(ctx, workspaceId, userId);
  return ended;
}
