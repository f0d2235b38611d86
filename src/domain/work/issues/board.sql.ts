import type { Category } from "../../kernel/categories.ts";
import type { InProject } from "../../kernel/context.ts";
import type { Db } from "../../kernel/ports/ports.ts";

/** A column of a board. */
export type Column = {
  id: string;
  name: string;
  category: Category;
  rank: string;
  wip_limit: number | null;
  issue_count: number;
};

const COLUMNS = {
  name: "board_columns",
  text: `
    select id, name, category, rank, wip_limit, issue_count from board_status
    where workspace_id = $1 and project_id = $2 and deleted_at is null order by rank, id`,
};

export const columnsOf = (db: Db, workspaceId: string, projectId: string): Promise<Column[]> =>
  db.query<Column>(COLUMNS, [workspaceId, projectId]);

/** Returns the sprint if it is completed. */
export async function completedSprint(
  { db, workspace }: InProject,
  sprintId: string,
): Promise<{ id: string; name: string } | null> {
  const text = `
    select id, name from sprint
    where workspace_id = $1 and id = $2 and status = 'completed' and deleted_at is null`;
  const [row] = await db.query<{ id: string; name: string }>({ name: "completed_sprint", text }, [
    workspace.id,
    sprintId,
  ]);
  return row ?? null;
}

/** Returns the id of the project's active sprint, if any. */
export async function activeSprint(db: Db, workspaceId: string, projectId: string): Promise<string | null> {
  const text = `select id from sprint where workspace_id = $1 and project_id = $2 and status = 'active' and deleted_at is null`;
  const [row] = await db.query<{ id: string }>({ name: "active_sprint", text }, [workspaceId, projectId]);
  return row?.id ?? null;
}
