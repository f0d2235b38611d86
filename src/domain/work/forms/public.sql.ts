import { projectList } from "../../access/identity/access.sql.ts";
import { type ProjectList, projectOf } from "../../access/identity/access-rows.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { workspaceJson } from "../../kernel/present.sql.ts";
import type { Project, Workspace } from "../../kernel/rows.ts";
import { type FormRow, formColumns } from "./rows.ts";

export type PublicForm = { form: FormRow; workspace: Workspace; project: Project };

/**
 * Returns the form with this token, while it is public. The token identifies the workspace, so the query has no
 * workspace id.
 */
export async function findPublicForm(db: Db, tokenHash: Buffer): Promise<PublicForm | null> {
  const [row] = await db.query<FormRow & { place: ProjectList; workspace: Workspace }>(
    {
      name: "public_form",
      text: `
        select ${formColumns}, ${projectList} as place,
               ${workspaceJson} as workspace
        from form f
        join project p on p.id = f.project_id
        join workspace w on w.id = f.workspace_id
        left join board_status ds on ds.id = p.default_status_id and ds.deleted_at is null
        left join project_member pm on false
        where f.token_hash = $1 and f.deleted_at is null and f.public_enabled`,
    },
    [tokenHash],
  );
  if (!row) return null;
  const { place, workspace, ...form } = row;
  return { form, workspace, project: projectOf(place) };
}
