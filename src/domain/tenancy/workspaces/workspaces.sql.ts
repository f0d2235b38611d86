import { visibility, visible } from "../../access/identity/visible.sql.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { WorkspaceView } from "./view.ts";

export type WorkspaceRow = Omit<WorkspaceView, "role" | "url">;

const READ = {
  name: "workspace_read",
  text: `
    select w.id, w.slug, w.name, w.default_locale, w.created_at, w.plan, w.timezone, w.updated_at,
           (select count(*) from member m join app_user u on u.id = m.user_id and u.kind = 'person'
            where m.workspace_id = w.id)::int as member_count,
           (select count(*) from project p
            where p.workspace_id = w.id and p.archived_at is null and ${visible(2)})::int as project_count
    from workspace w where w.id = $1`,
};

/**
 * Reads a workspace that is known to exist. `project_count` counts the projects that the principal sees; an operator
 * (null) sees all.
 */
export async function readWorkspace(db: Db, workspaceId: string, principal: Principal | null): Promise<WorkspaceRow> {
  const values = [workspaceId, ...(principal ? visibility(principal) : [null, true, false, null])];
  const [row] = await db.query<WorkspaceRow>(READ, values);
  return row as WorkspaceRow;
}
