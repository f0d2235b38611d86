import { projectList } from "../../access/identity/access.sql.ts";
import type { ProjectList } from "../../access/identity/access-rows.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { workspaceJson } from "../../kernel/present.sql.ts";
import type { Workspace } from "../../kernel/rows.ts";
import type { RunRow } from "./rows.ts";

const PLACE = {
  name: "place_of_run",
  text: `
    select ${workspaceJson} as workspace,
           ${projectList} as project
    from workspace w join project p on p.workspace_id = w.id and p.id = $2
    left join board_status ds on ds.id = p.default_status_id and ds.deleted_at is null
    left join project_member pm on false
    where w.id = $1`,
};

/** The workspace and the project of a run, without the rights of any person. */
export async function readPlace(db: Db, run: Pick<RunRow, "workspace_id" | "project_id">) {
  type Place = { workspace: Workspace; project: ProjectList };
  const [place] = await db.query<Place>(PLACE, [run.workspace_id, run.project_id]);
  return place!;
}
