import type { Db } from "../../kernel/ports/ports.ts";

const OPEN = "status_due_at is not null";
const DUE = `${OPEN} and status_due_at <= now()`;

/** Goals whose status may have changed because time has passed. */
export const dueGoals = { table: "goal", open: OPEN, due: DUE, later: `${OPEN} and status_due_at > now()` };

/** Workspaces with such goals, those first that have been due for longest. */
export async function workspacesWithDueGoals(db: Db, limit: number): Promise<string[]> {
  const rows = await db.query<{ workspace_id: string }>(
    {
      name: "workspaces_with_due_goals",
      text: `
        select workspace_id from (
          select workspace_id, min(status_due_at) as since from (
            select workspace_id, status_due_at from goal where ${DUE} order by status_due_at limit 10000) due
          group by workspace_id) waiting
        order by since limit $1`,
    },
    [limit],
  );
  return rows.map(({ workspace_id }) => workspace_id);
}

/** Such goals of one workspace. */
export async function dueGoalsOf(db: Db, workspaceId: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    {
      name: "due_goals_of",
      text: `select id from goal where workspace_id = $1 and ${DUE} order by status_due_at limit $2`,
    },
    [workspaceId, limit],
  );
  return rows.map(({ id }) => id);
}
