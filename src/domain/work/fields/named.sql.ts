import { visibility, visible, visibleDoc } from "../../access/identity/visible.sql.ts";
import type { InProject, InWorkspace } from "../../kernel/context.ts";
import { readId, referenceKey } from "../../kernel/ids.ts";

/** Returns the projects that the caller can see, by the ids, keys and slugs that a body contains. */
export async function findVisibleProjects(ctx: InWorkspace, refs: string[]): Promise<Map<string, string>> {
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

/** Returns the ids of the docs that the caller can see, by the ids that a body contains. */
export async function findVisibleDocs(ctx: InProject, refs: string[]): Promise<Set<string>> {
  const ids = refs.map(readId).filter((id) => id !== null);
  if (ids.length === 0) return new Set();
  const rows = await ctx.db.query<{ id: string }>(
    {
      name: "find_visible_docs",
      text: `
        select d.id from doc d left join project p on p.id = d.project_id
        where d.workspace_id = $1 and d.id = any($2::uuid[]) and ${visibleDoc(3)}`,
    },
    [ctx.workspace.id, ids, ...visibility(ctx.principal)],
  );
  return new Set(rows.map(({ id }) => id));
}
