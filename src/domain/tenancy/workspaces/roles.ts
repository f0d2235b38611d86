import { accessChanged } from "../../access/identity/access-changed.ts";
import { lockRole } from "../../access/identity/lock-role.ts";
import { recordChange } from "../../events/record.ts";
import { type Found, ofWorkspace } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import { isAdmin, type Role } from "../../kernel/roles.ts";
import { revokeInvitesOf } from "../invites/revoke-invites.ts";
import { memberErrors } from "./errors.ts";
import { memberRoleChanged } from "./events.ts";
import { userInPath } from "./in-path.ts";
import { type MemberPatchInput, type MemberView, memberView } from "./member-view.ts";
import { findMember, findPeople, hasOtherOwner, type MemberRow, readMember, setRole } from "./members.sql.ts";

/** A locked member, and the role of the caller who is about to change them. */
export type LockedMember = { member: MemberRow; by: Role };

/**
 * Locks the membership of the workspace and returns the caller's role. The role is read under the lock: if two admins
 * demote each other at once, the second one is no longer an admin.
 * @throws Refusal insufficient_role
 */
export async function lockMembers(ctx: InWorkspace & Writing): Promise<Role> {
  const role = await lockRole(ctx);
  if (!isAdmin(role)) refuse("insufficient_role", { role, required_role: "admin" });
  return role;
}

/** The person that a path gives as id, e-mail or `me`, with the membership locked. @throws Refusal as lockMembers */
export async function lockById(ctx: InWorkspace & Writing, text: string): Promise<Found<LockedMember> | null> {
  const by = await lockMembers(ctx);
  const id = await userInPath(ctx, text);
  const member = id && (await findMember(ctx.tx, ctx.workspace.id, id));
  return ofWorkspace(member && { member, by });
}

/**
 * Changes a member's role. A guest becomes a full member. Nobody can raise their own role: callers are at least
 * admins, and only owners make owners.
 * @throws Refusal insufficient_role, last_owner
 */
export async function changeRole(
  ctx: InWorkspace & Writing,
  { member, by }: LockedMember,
  { role }: MemberPatchInput,
): Promise<MemberView> {
  await checkOwner(ctx, member, by);
  return setMemberRole(ctx, member, role);
}

/**
 * Makes another member an owner. The caller becomes an admin.
 * @throws Refusal insufficient_role, invalid_reference
 */
export async function transferOwnership(ctx: InWorkspace & Writing, ref: string): Promise<MemberView> {
  const by = await lockMembers(ctx);
  if (by !== "owner") refuse("insufficient_role", { role: by, required_role: "owner" });
  const me = ctx.principal.user_id;
  const named = (await findPeople(ctx.tx, ctx.workspace.id, [ref], ctx.principal, "workspace")).get(ref);
  const newOwner =
    (named && (await findMember(ctx.tx, ctx.workspace.id, named.id))) || refuseReference("/user_id", ref);
  if (newOwner.user_id === me) return memberView(newOwner);

  const owner = await setMemberRole(ctx, newOwner, "owner");
  await setMemberRole(ctx, await readMember(ctx.tx, ctx.workspace.id, me), "admin");
  return owner;
}

/**
 * Checks a change to an owner: only owners may make it, and one owner must remain.
 * @throws Refusal insufficient_role, last_owner
 */
export async function checkOwner(ctx: InWorkspace, { role, user_id }: MemberRow, by: Role): Promise<void> {
  if (role !== "owner") return;
  if (by !== "owner") {
    refuse("insufficient_role", {
      message: "Only owners can change or remove an owner.",
      role: by,
      required_role: "owner",
    });
  }
  if (!(await hasOtherOwner(ctx.db, ctx.workspace.id, user_id))) refuse(memberErrors.last_owner);
}

async function setMemberRole(ctx: InWorkspace & Writing, member: MemberRow, role: Role): Promise<MemberView> {
  const before = memberView(member);
  if (member.role === role) return before;
  await setRole(ctx.tx, ctx.workspace.id, member.user_id, role);
  if (isAdmin(member.role) && !isAdmin(role)) await revokeInvitesOf(ctx, member.user_id);

  accessChanged(ctx, ctx.workspace.id, member.user_id);
  const view = memberView({ ...member, role });
  recordChange(ctx, memberRoleChanged, before, view);
  return view;
}
