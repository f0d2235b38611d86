import { credentialsEnded } from "./access/agents/lifecycle.ts";
import { accessChanged } from "./access/identity/access-changed.ts";
import { apiKeyRevoked } from "./access/keys/events.ts";
import { revokeKeysOf } from "./access/keys/keys.sql.ts";
import { mailKeyCreators } from "./access/keys/revoked-mail.ts";
import { apiKeyView } from "./access/keys/view.ts";
import { revokeGrantsOf } from "./access/oauth/grants.ts";
import { record } from "./events/record.ts";
import type { InWorkspace, Writing } from "./kernel/context.ts";
import { refuse } from "./kernel/errors.ts";
import { lockMember, lockWorkspace } from "./kernel/locks.sql.ts";
import { leaveChannels } from "./knowledge/chat/leave.ts";
import { clearPersonFromKnowledge } from "./knowledge/clear-person.ts";
import { inheritPrivateDocs } from "./knowledge/docs/heirs.ts";
import { revokeInvitesOf } from "./tenancy/invites/revoke-invites.ts";
import { memberRemoved } from "./tenancy/workspaces/events.ts";
import { memberView } from "./tenancy/workspaces/member-view.ts";
import { deleteMember, findMember, type MemberRow } from "./tenancy/workspaces/members.sql.ts";
import { listOwnWorkspaces } from "./tenancy/workspaces/own.sql.ts";
import { checkOwner, type LockedMember } from "./tenancy/workspaces/roles.ts";
import { lockBoardsOf, unassignOpenIssues } from "./work/issues/unassign.ts";
import { clearPersonFromProjects } from "./work/projects/clear-person.ts";

/**
 * Removes a member from the workspace, possibly the caller. Their content stays in their name.
 * @throws Refusal insufficient_role, last_owner
 */
export async function remove(ctx: InWorkspace & Writing, { member, by }: LockedMember) {
  await checkOwner(ctx, member, by);
  return depart(ctx, member);
}

/** Removes the caller from the workspace. Every member may leave. @throws Refusal not_found, last_owner */
export async function leave(ctx: InWorkspace & Writing) {
  await lockWorkspace(ctx, ctx.workspace.id);
  const me = (await findMember(ctx.tx, ctx.workspace.id, ctx.principal.user_id)) ?? refuse("not_found");
  await checkOwner(ctx, me, me.role);
  return depart(ctx, me);
}

/**
 * Removes the caller, who deletes their account. If nobody else is in the workspace, nobody will be.
 * @throws Refusal not_found, last_owner
 */
export async function leaveForGood(ctx: InWorkspace & Writing) {
  await lockWorkspace(ctx, ctx.workspace.id);
  const id = ctx.principal.user_id;
  const me = (await findMember(ctx.tx, ctx.workspace.id, id)) ?? refuse("not_found");
  const own = await listOwnWorkspaces(ctx.tx, id);
  if (!own.some(({ id, alone }) => id === ctx.workspace.id && alone)) await checkOwner(ctx, me, me.role);
  return depart(ctx, me);
}

/** Removes a member. The order of locks is workspace, boards, member, projects, issues, docs, channels. */
async function depart(ctx: InWorkspace & Writing, member: MemberRow) {
  const { user_id } = member;
  const locked = await lockBoardsOf(ctx, user_id);
  await lockMember(ctx, user_id);
  await clearPersonFromProjects(ctx, user_id);
  await unassignOpenIssues(ctx, member, locked);
  await clearPersonFromKnowledge(ctx, user_id);
  await inheritPrivateDocs(ctx, user_id);
  await leaveChannels(ctx, user_id);
  const grants = await revokeGrantsOf(ctx, ctx.workspace.id, user_id);
  const revoked = await revokeKeysOf(ctx, ctx.workspace.id, user_id, "member_removed");
  for (const key of revoked) {
    record(ctx, apiKeyRevoked, apiKeyView(ctx, key));
  }
  for (const userId of new Set([user_id, ...revoked.map((key) => key.user_id)])) {
    accessChanged(ctx, ctx.workspace.id, userId);
  }
  await credentialsEnded(
    ctx,
    ctx.workspace.id,
    [...grants, ...revoked].map((key) => key.user_id),
  );
  await revokeInvitesOf(ctx, user_id);
  await deleteMember(ctx.tx, ctx.workspace.id, user_id);
  await mailKeyCreators(ctx, ctx.workspace.id, [...grants, ...revoked], "member_removed");
  record(ctx, memberRemoved, memberView(member));
  return { user_id, removed: true };
}
