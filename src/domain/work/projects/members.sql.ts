import type { InProject } from "../../kernel/context.ts";
import { shownEmail } from "../../kernel/email.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { ProjectRole } from "../../kernel/rows.ts";
import type { ProjectMemberView } from "./member-view.ts";

export type ProjectMemberRow = ProjectMemberView & { email: string };

const columns = `
  pm.user_id, coalesce(u.email, '') as email, u.name, pm.role, pm.added_at, u.avatar_url, pm.added_by
  from project_member pm join app_user u on u.id = pm.user_id
  where pm.workspace_id = $1 and pm.project_id = $2`;

const shown = (row: ProjectMemberRow): ProjectMemberRow => ({ ...row, email: shownEmail(row.email) });

/** Returns a page of a project's members, most recently added first. */
export async function listProjectMembers(
  { db, workspace, project }: InProject,
  after: Cursor | null,
  limit: number,
): Promise<ProjectMemberRow[]> {
  const paged = after ? `and (pm.added_at, pm.user_id) < ($4::timestamptz, $5::uuid)` : "";
  const rows = await db.query<ProjectMemberRow>(
    {
      name: `list_project_members_${after !== null}`,
      text: `select ${columns} ${paged} order by pm.added_at desc, pm.user_id desc limit $3`,
    },
    [workspace.id, project.id, limit, ...(after ?? [])],
  );
  return rows.map(shown);
}

export async function findProjectMember(
  { db, workspace, project }: InProject,
  userId: string,
): Promise<ProjectMemberRow | null> {
  const [row] = await db.query<ProjectMemberRow>(
    { name: "project_member_find", text: `select ${columns} and pm.user_id = $3` },
    [workspace.id, project.id, userId],
  );
  return row ? shown(row) : null;
}

/** Adds a member, or changes their role. */
export async function putProjectMember(
  { db, workspace, project, principal, now }: InProject,
  userId: string,
  role: ProjectRole,
): Promise<void> {
  await db.query(
    {
      text: `
        insert into project_member (project_id, user_id, workspace_id, role, added_by, added_at)
        values ($2, $3, $1, $4, $5, $6)
        on conflict (project_id, user_id) do update set role = excluded.role`,
    },
    [workspace.id, project.id, userId, role, principal.user_id, now],
  );
}

export async function deleteProjectMember({ db, workspace, project }: InProject, userId: string): Promise<void> {
  await db.query({ text: `delete from project_member where workspace_id = $1 and project_id = $2 and user_id = $3` }, [
    workspace.id,
    project.id,
    userId,
  ]);
}

/** Whether a user, person or agent, is in the workspace, suspended or not. */
export async function isInWorkspace({ db, workspace }: InProject, userId: string): Promise<boolean> {
  const text = `select 1 from member where workspace_id = $1 and user_id = $2`;
  return (await db.query({ text }, [workspace.id, userId])).length > 0;
}
