import { type Audience, type Found, found, type ProjectAccess } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { readId } from "../../kernel/ids.ts";

/** The access columns of a project, for loaders of objects that belong to one. */

/** Columns that `foundIn` reads, from `project p` and the caller's membership `pm` in it. */
export const projectColumns = `
  p.id as project_id, p.scoped as project_scoped, p.archived_at as project_archived_at, pm.role as project_role`;

/**
 * Joins `p` and `pm` to an object.
 * @param column the object's project, e.g. `d.project_id`
 * @param user number of the parameter with the caller's user id
 */
export const projectJoin = (column: string, user: number): string => `
  left join project p on p.id = ${column}
  left join project_member pm on pm.project_id = p.id and pm.user_id = $${user}::uuid`;

export type WithProject = {
  project_id: string | null;
  project_scoped: boolean | null;
  project_archived_at: string | null;
  project_role: ProjectAccess["role"];
};

/** An object with the project that its row names; without one it belongs to the whole workspace. */
export function foundIn<T>(row: WithProject, object: T, audience: Audience): Found<T> {
  return found(object, projectOf(row), audience);
}

/** The project of an object; null if it belongs to the whole workspace. */
export const projectOf = (row: WithProject): ProjectAccess | null =>
  row.project_id === null ? null : accessOf({ ...row, project_id: row.project_id });

const accessOf = (row: WithProject & { project_id: string }): ProjectAccess => ({
  id: row.project_id,
  scoped: row.project_scoped === true,
  archived_at: row.project_archived_at,
  role: row.project_role,
});

/** A project by id, key or slug, whether or not the caller may see it. */
export const readProjectAccess = async (ctx: InWorkspace, ref: string): Promise<ProjectAccess | null> =>
  (await readProjectsAccess(ctx, [ref])).get(ref) ?? null;

/**
 * Projects by the ids, keys and slugs in `refs`, whether or not the caller may see them. An id takes precedence over a
 * key, and a key over another project's slug, as in paths.
 */
export async function readProjectsAccess(
  ctx: Pick<InWorkspace, "db"> & {
    readonly workspace: { readonly id: string };
    readonly principal: { readonly user_id: string | null };
  },
  refs: readonly string[],
): Promise<Map<string, ProjectAccess>> {
  if (refs.length === 0) return new Map();
  const rows = await ctx.db.query<WithProject & { project_id: string; ref: string }>(
    {
      name: "projects_access",
      text: `
        select named.ref, ${projectColumns}
        from (select r.ref, coalesce(
                (select id from project where workspace_id = $1 and id = r.id),
                (select id from project where workspace_id = $1 and key = upper(r.ref)),
                (select id from project where workspace_id = $1 and slug = lower(r.ref))) as id
              from unnest($2::text[], $3::uuid[]) r(ref, id)) named
        ${projectJoin("named.id", 4)}
        where p.id is not null`,
    },
    [ctx.workspace.id, refs, refs.map(readId), ctx.principal.user_id],
  );
  return new Map(rows.map((row) => [row.ref, accessOf(row)]));
}
