import type { InWorkspace, Writing } from "../context.ts";
import { refuse } from "../errors.ts";
import { record } from "../events.ts";
import { lockBoardsOf } from "../issues/unassign.sql.ts";
import { unassignOpenIssues } from "../issues/unassign.ts";
import { apiKeyRevoked } from "../keys/events.ts";
import { revokeKeysOf } from "../keys/keys.sql.ts";
import { tellMakers } from "../keys/revoked-letter.ts";
import { apiKeyView } from "../keys/view.ts";
import { lockMember, lockWorkspace } from "../locks.sql.ts";
import { revokeGrantsOf } from "../oauth/grants.ts";
import { revokeInvitesOf } from "../people/revoke-invites.ts";
import { forgetPerson } from "../projects/departed.ts";
import { memberRemoved } from "./events.ts";
import { memberView } from "./member-view.ts";
import { deleteMember, findMember, type MemberRow } from "./members.sql.ts";
import { checkOwner, type HeldMember } from "./roles.ts";

/**
 * Takes somebody out of the workspace, oneself perhaps. What they wrote stays theirs.
 * @throws Refusal insufficient_role, last_owner
 */
export async function remove(ctx: InWorkspace & Writing, { member, by }: HeldMember) {
  await checkOwner(ctx, member, by);
  return depart(ctx, member);
}

/** Anybody may go. @throws Refusal not_found, last_owner */
export async function leave(ctx: InWorkspace & Writing) {
  await lockWorkspace(ctx, ctx.workspace.id);
  const me = (await findMember(ctx.tx, ctx.workspace.id, ctx.caller.user_id)) ?? refuse("not_found");
  await checkOwner(ctx, me, me.role);
  return depart(ctx, me);
}

/** In the order of locks: workspace, boards, member, projects, issues. */
async function depart(ctx: InWorkspace & Writing, member: MemberRow) {
  const { user_id } = member;
  await lockBoardsOf(ctx, user_id);
  await lockMember(ctx, user_id);
  await forgetPerson(ctx, user_id);
  await unassignOpenIssues(ctx, member);
  const grants = await revokeGrantsOf(ctx, ctx.workspace.id, user_id);
  const revoked = await revokeKeysOf(ctx, ctx.workspace.id, user_id, "member_removed");
  for (const key of revoked) {
    record(ctx, apiKeyRevoked, apiKeyView(ctx, key));
  }
  await revokeInvitesOf(ctx, user_id);
  await deleteMember(ctx.tx, ctx.workspace.id, user_id);
  await tellMakers(ctx, ctx.workspace.id, [...grants, ...revoked], "member_removed");
  record(ctx, memberRemoved, memberView(member));
  return { user_id, removed: true };
}
