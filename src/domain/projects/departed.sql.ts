import type { InWorkspace } from "../context.ts";

/** What a project says of a person. */
export type PeopleOfProject = { lead_user_id: string | null; default_assignee_id: string | null };

/** Takes somebody's name off all projects of the workspace. Answers what those said before. */
export function clearPerson({ db, workspace, now }: InWorkspace, userId: string) {
  return db.query<PeopleOfProject & { id: string }>(
    {
      text: `
        with named as (
          select id, lead_user_id, default_assignee_id from project
          where workspace_id = $1 and (lead_user_id = $2 or default_assignee_id = $2)
          order by id for no key update
        )
        update project p set lead_user_id = nullif(p.lead_user_id, $2),
                             default_assignee_id = nullif(p.default_assignee_id, $2),
                             updated_at = $3
        from named where p.workspace_id = $1 and p.id = named.id
        returning named.id, named.lead_user_id, named.default_assignee_id`,
    },
    [workspace.id, userId, now],
  );
}
