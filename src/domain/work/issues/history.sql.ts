import type { Db } from "../../kernel/ports/ports.ts";

/**
 * Returns the names of people, sprints, milestones, releases and custom fields by id. Other ids are left out. Projects
 * are left out too, because readers of the history may not be able to see them.
 */
export async function namesOf(db: Db, workspaceId: string, ids: string[]): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: string; name: string | null }>(
    {
      name: "names_for_history",
      text: `
        select id, name from app_user where id = any($2::uuid[])
        union all
        select id, name from sprint where workspace_id = $1 and id = any($2::uuid[])
        union all
        select id, name from milestone where workspace_id = $1 and id = any($2::uuid[])
        union all
        select id, name from release where workspace_id = $1 and id = any($2::uuid[])
        union all
        select id, name from custom_field where workspace_id = $1 and id = any($2::uuid[])`,
    },
    [workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, row.name]));
}
