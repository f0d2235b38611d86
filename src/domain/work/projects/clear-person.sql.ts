import type { InWorkspace, Writing } from "../../kernel/context.ts";

/** The people whom a project names. */
export type PeopleOfProject = { lead_user_id: string | null; default_assignee_id: string | null };

/** Removes a user as lead and default assignee of all projects of the workspace. Returns the earlier values. */
export async function clearPerson(ctx: InWorkspace & Writing, userId: string) {
  const { db, workspace } = ctx;
  const named = await db.query<PeopleOfProject & { id: string }>(
    {
      text: `
        select id, lead_user_id, default_assignee_id from project
        where workspace_id = $1 and (lead_user_id = $2 or default_assignee_id = $2)
        order by id for no key update`,
    },
    [workspace.id, userId],
  );
  ctx.waited();
  await db.query(
    {
      text: `
        update project set lead_user_id = nullif(lead_user_id, $3),
                           default_assignee_id = nullif(default_assignee_id, $3),
                           updated_at = $4
        where workspace_id = $1 and id = any($2::uuid[])`,
    },
    [workspace.id, named.map(({ id }) => id), userId, ctx.now],
  );
  return named;
}
