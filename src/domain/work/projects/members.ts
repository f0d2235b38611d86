import type { z } from "zod";
import { accessChanged } from "../../access/identity/access-changed.ts";
import { withoutEmail } from "../../access/identity/emails.ts";
import { roleOf } from "../../access/identity/users.sql.ts";
import { record, recordChange } from "../../events/record.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { referenceKey } from "../../kernel/ids.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { memberErrors } from "../../tenancy/workspaces/errors.ts";
import { userInPath } from "../../tenancy/workspaces/in-path.ts";
import { findPeople } from "../../tenancy/workspaces/members.sql.ts";
import { projectMemberAdded, projectMemberRemoved, projectMemberRoleChanged } from "./events.ts";
import { type ProjectMemberAddInput, type ProjectMemberRemoved, ProjectMemberView } from "./member-view.ts";
import {
  deleteProjectMember,
  findProjectMember,
  isInWorkspace,
  listProjectMembers,
  putProjectMember,
} from "./members.sql.ts";

/** Members of a project. They can see a scoped project, and have a role of their own in it. */

/** Returns a page of members, most recently added first. */
export async function listPage(ctx: InProject, paging: Paging) {
  const rows = await listProjectMembers(ctx, paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, (row) => [row.added_at, row.user_id]);
  return { ...page, rows: page.rows.map((row) => withoutEmail(ctx.principal, row)) };
}

/** Returns a member of the project. */
export async function read(ctx: InProject, text: string): Promise<ProjectMemberView | null> {
  const userId = await userInPath(ctx, text);
  return userId ? findProjectMember(ctx, userId) : null;
}

/**
 * Adds a member, or changes their role. A call that changes nothing records nothing.
 * @throws Refusal insufficient_role, not_a_member
 */
export async function add(
  ctx: InProject & Writing,
  { user_id: ref, role }: ProjectMemberAddInput,
): Promise<ProjectMemberView> {
  await lockMembers(ctx);
  // The new member need not see one of the projects of the caller's key yet.
  const anybody = { ...ctx.principal, project_ids: null };
  const people = await findPeople(ctx.db, ctx.workspace.id, [ref], anybody, "workspace");
  const person = people.get(referenceKey(ref)) ?? refuse(memberErrors.not_a_member, { path: "/user_id", value: ref });
  const before = await findProjectMember(ctx, person.id);
  if (before?.role === role) return before;

  await putProjectMember(ctx, person.id, role);
  const data = ProjectMemberView.parse(await findProjectMember(ctx, person.id));
  if (before) recordChange(ctx, projectMemberRoleChanged, { role: before.role }, data);
  else record(ctx, projectMemberAdded, data);
  return data;
}

/** A user of the workspace, with their membership of the project, if any. */
export type ProjectPerson = { user_id: string; member: ProjectMemberView | null };

/**
 * Locks the members and returns the user whom a path names by id, e-mail address or `me`.
 * @throws Refusal insufficient_role
 */
export async function lockByName(ctx: InProject & Writing, text: string): Promise<ProjectPerson | null> {
  await lockMembers(ctx);
  const userId = await userInPath(ctx, text);
  if (!userId) return null;
  const member = await findProjectMember(ctx, userId);
  return member || (await isInWorkspace(ctx, userId)) ? { user_id: userId, member } : null;
}

/** Removes a member. Removing a user who is not a member changes nothing. */
export async function remove(
  ctx: InProject & Writing,
  { user_id, member }: ProjectPerson,
): Promise<z.output<typeof ProjectMemberRemoved>> {
  if (member) {
    await deleteProjectMember(ctx, user_id);
    accessChanged(ctx, ctx.workspace.id, user_id);
    record(ctx, projectMemberRemoved, ProjectMemberView.parse(member));
  }
  return { user_id, removed: true };
}

/**
 * Locks the members of the workspace and of its projects. The caller's roles are read again under the lock: if two
 * admins remove each other at the same time, the second one is no longer an admin.
 */
async function lockMembers(ctx: InProject & Writing): Promise<void> {
  await lockWorkspace(ctx, ctx.workspace.id);
  const role = await roleOf(ctx.db, ctx.workspace.id, ctx.principal.user_id);
  if (isAdmin(role)) return;
  const own = role && (await findProjectMember(ctx, ctx.principal.user_id));
  if (own?.role !== "admin") refuse("insufficient_role", { role, required_role: "project admin" });
}
