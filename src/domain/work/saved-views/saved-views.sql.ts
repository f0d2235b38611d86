import type { InProject } from "../../kernel/context.ts";
import type { Statement } from "../../kernel/ports/ports.ts";
import type { SavedViewView } from "./view.ts";

export type SavedViewRow = Omit<SavedViewView, "project_key" | "filter_names" | "filter_deleted">;

const columns = `id, name, filter, is_shared, layout, group_by, columns, created_by, created_at, updated_at`;

/** Returns the project's shared views and the caller's own, newest first. */
export const listSavedViews = ({ db, workspace, project, principal }: InProject): Promise<SavedViewRow[]> =>
  db.query<SavedViewRow>(
    {
      name: "list_saved_views",
      text: `
        select ${columns} from saved_view where workspace_id = $1 and project_id = $2 and is_shared
        union all
        select ${columns} from saved_view
        where workspace_id = $1 and project_id = $2 and not is_shared and created_by = $3
        order by created_at desc, id desc`,
    },
    [workspace.id, project.id, principal.user_id],
  );

const READ = `
  select ${columns} from saved_view
  where workspace_id = $1 and project_id = $2 and id = $4 and (is_shared or created_by = $3)`;

/** Returns one of these views. */
export const readSavedView = (ctx: InProject, viewId: string): Promise<SavedViewRow | null> =>
  one(ctx, { name: "saved_view_read", text: READ }, viewId);

/** Locks one of these views until the transaction ends, and returns it. */
export const lockSavedView = (ctx: InProject, viewId: string): Promise<SavedViewRow | null> =>
  one(ctx, { name: "saved_view_lock", text: `${READ} for update` }, viewId);

async function one({ db, workspace, project, principal }: InProject, statement: Statement, viewId: string) {
  const [row] = await db.query<SavedViewRow>(statement, [workspace.id, project.id, principal.user_id, viewId]);
  return row ?? null;
}

/** Counts the shared views of the project, or the views that a user keeps for themselves in it. */
export async function countSavedViews({ db, workspace, project }: InProject, ownerId: string | null): Promise<number> {
  const which = ownerId === null ? "is_shared" : "not is_shared and created_by = $3";
  const [row] = await db.query<{ views: number }>(
    { text: `select count(*) as views from saved_view where workspace_id = $1 and project_id = $2 and ${which}` },
    ownerId === null ? [workspace.id, project.id] : [workspace.id, project.id, ownerId],
  );
  return row?.views ?? 0;
}

/** Stores a new or changed view. */
export async function putSavedView({ db, workspace, project }: InProject, view: SavedViewRow): Promise<void> {
  await db.query(
    {
      name: "saved_view_put",
      text: `
        insert into saved_view (id, workspace_id, project_id, name, filter, is_shared, layout, group_by, columns,
                                created_by, created_at, updated_at)
        values ($3, $1, $2, $4, $5::json, $6, $7, $8, $9::text[], $10, $11::timestamptz, $12::timestamptz)
        on conflict (id) do update set
          name = excluded.name, filter = excluded.filter, is_shared = excluded.is_shared, layout = excluded.layout,
          group_by = excluded.group_by, columns = excluded.columns, updated_at = excluded.updated_at`,
    },
    [
      workspace.id,
      project.id,
      view.id,
      view.name,
      JSON.stringify(view.filter),
      view.is_shared,
      view.layout,
      view.group_by,
      view.columns,
      view.created_by,
      view.created_at,
      view.updated_at,
    ],
  );
}

export async function deleteSavedView({ db, workspace, project }: InProject, viewId: string): Promise<void> {
  await db.query({ text: `delete from saved_view where workspace_id = $1 and project_id = $2 and id = $3` }, [
    workspace.id,
    project.id,
    viewId,
  ]);
}
