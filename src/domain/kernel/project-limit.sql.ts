import { readId } from "./ids.ts";
import type { Db } from "./ports/ports.ts";

/** Projects of the workspace by id, key or slug, in the order of `refs`; null where there is none. */
export async function findProjects(db: Db, workspaceId: string, refs: readonly string[]): Promise<(string | null)[]> {
  const rows = await db.query<{ id: string | null }>(
    {
      name: "find_projects",
      text: `
        select coalesce(
          (select id from project where workspace_id = $1 and id = r.id),
          (select id from project where workspace_id = $1 and key = upper(r.text)),
          (select id from project where workspace_id = $1 and slug = lower(r.text))) as id
        from unnest($2::text[], $3::uuid[]) with ordinality as r(text, id, place) order by place`,
    },
    [workspaceId, refs, refs.map(readId)],
  );
  return rows.map((row) => row.id);
}
