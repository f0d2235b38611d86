import type { InWorkspace } from "../../kernel/context.ts";

/** The ids from a goal up to the topmost one, starting with the goal itself. Empty if the goal does not exist. */
export async function goalsUpFrom({ db, workspace }: InWorkspace, id: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    {
      name: "goals_up_from",
      text: `
        with recursive up as (
          select id, parent_goal_id, 1 as step from goal where workspace_id = $1 and id = $2 and deleted_at is null
          union all
          select g.id, g.parent_goal_id, up.step + 1
          from up join goal g on g.id = up.parent_goal_id and g.deleted_at is null where up.step < 50)
        select id from up order by step`,
    },
    [workspace.id, id],
  );
  return rows.map((row) => row.id);
}

/** The number of levels from a goal down to its lowest descendant, including itself. Stops counting above `max`. */
export async function heightOf({ db, workspace }: InWorkspace, id: string, max: number): Promise<number> {
  const [row] = await db.query<{ height: number }>(
    {
      name: "goal_height",
      text: `
        with recursive down as (
          select $2::uuid as id, 1 as level
          union all
          select g.id, down.level + 1
          from down join goal g on g.parent_goal_id = down.id and g.workspace_id = $1 and g.deleted_at is null
          where down.level <= $3)
        select max(level) as height from down`,
    },
    [workspace.id, id, max],
  );
  return row!.height;
}
