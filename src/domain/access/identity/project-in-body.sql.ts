import type { InWorkspace } from "../../kernel/context.ts";
import type { Project } from "../../kernel/rows.ts";
import { projectList } from "./access.sql.ts";
import { type ProjectList, projectOf } from "./access-rows.ts";
import { visibility, visible } from "./visible.sql.ts";

/** Projects that a path does not name: the whole row of one that a body names, and those that a body could name. */

/** A project of the workspace in the form that a path's project has. Null if there is no such project. */
export async function readWholeProject({ db, workspace, principal }: InWorkspace, id: string): Promise<Project | null> {
  const text = `
    select ${projectList} as project
    from project p
    left join board_status ds on ds.id = p.default_status_id and ds.deleted_at is null
    left join project_member pm on pm.project_id = p.id and pm.user_id = $3
    where p.workspace_id = $1 and p.id = $2`;
  const [row] = await db.query<{ project: ProjectList }>({ name: "whole_project", text }, [
    workspace.id,
    id,
    principal.user_id,
  ]);
  return row ? projectOf(row.project) : null;
}

/** Keys of live projects that the caller sees, in their order, as many as `most`. */
export async function keysOfProjects({ db, workspace, principal }: InWorkspace, most: number): Promise<string[]> {
  const text = `
    select p.key from project p
    where p.workspace_id = $1 and p.archived_at is null and ${visible(3)} order by p.key limit $2`;
  const rows = await db.query<{ key: string }>({ name: "keys_of_projects", text }, [
    workspace.id,
    most,
    ...visibility(principal),
  ]);
  return rows.map(({ key }) => key);
}
