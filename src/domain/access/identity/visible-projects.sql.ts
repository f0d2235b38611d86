import type { Db } from "../../kernel/ports/ports.ts";
import type { Principal } from "../../kernel/principal.ts";
import { visibility, visible } from "./visible.sql.ts";

const READ = {
  name: "visible_project_ids",
  text: `select p.id from project p where p.workspace_id = $1 and ${visible(2)}`,
};

/** The projects of a workspace that somebody may see. */
export async function visibleProjects(db: Db, workspaceId: string, principal: Principal): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(READ, [workspaceId, ...visibility(principal)]);
  return new Set(rows.map(({ id }) => id));
}
