import { visibility, visible } from "../../access/identity/visible.sql.ts";
import type { InProject } from "../../kernel/context.ts";
import { readId, referenceKey } from "../../kernel/ids.ts";

/** Returns the projects that the caller can see, by the ids, keys and slugs that a body contains. */
export async function findVisibleProjects(ctx: InProject, refs: string[]): Promise<Map<string, string>> {
  if (refs.length === 0) return new Map();
  const rows = await ctx.db.query<{ id: string; key: string; slug: string }>(
    {
      name: "find_visible_projects",
      text: `
        select p.id, p.key, p.slug from project p
        where p.workspace_id = $1
          and (p.id = any($2::uuid[]) or p.key = any($3::text[]) or p.slug = any($4::text[])) and ${visible(5)}`,
    },
    [
      ctx.workspace.id,
      refs.map(readId).filter((id) => id !== null),
      refs.map((ref) => ref.toUpperCase()),
      refs.map((ref) => ref.toLowerCase()),
      ...visibility(ctx.principal),
    ],
  );
  const found = new Map<string, string>();
  // A key takes precedence over another project's slug, as in paths.
  for (const { id, slug } of rows) found.set(referenceKey(slug), id);
  for (const { id, key } of rows) found.set(referenceKey(key), id).set(id, id);
  return found;
}
