import type { Db } from "../../kernel/ports/ports.ts";

/** Returns the ids from an issue up to its topmax ancestor, starting with the issue. */
export async function ancestorsOf(db: Db, workspaceId: string, issueId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    {
      text: `
        with recursive up as (
          select id, parent_id, 0 as step from issue where workspace_id = $1 and id = $2
          union all
          select i.id, i.parent_id, up.step + 1 from up join issue i on i.id = up.parent_id where up.step < 50)
        select id from up order by step`,
    },
    [workspaceId, issueId],
  );
  return rows.map((row) => row.id);
}

/**
 * Returns the number of levels from an issue down to its lowest descendant, including itself. Stops counting at `max`.
 */
export async function heightOf(db: Db, workspaceId: string, issueId: string, max: number): Promise<number> {
  const [row] = await db.query<{ height: number }>(
    {
      text: `
        with recursive down as (
          select $2::uuid as id, 1 as level
          union all
          select i.id, down.level + 1 from down join issue i on i.parent_id = down.id and i.workspace_id = $1
          where down.level <= $3)
        select max(level) as height from down`,
    },
    [workspaceId, issueId, max],
  );
  return row?.height ?? 1;
}

export async function hasIssuesInEpic(db: Db, workspaceId: string, epicId: string): Promise<boolean> {
  const text = "select 1 from issue where workspace_id = $1 and epic_id = $2 limit 1";
  return (await db.query({ text }, [workspaceId, epicId])).length > 0;
}
