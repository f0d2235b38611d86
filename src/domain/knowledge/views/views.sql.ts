import { visibility, visible } from "../../access/identity/visible.sql.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { WorkspaceViewView } from "./view.ts";

/** A view as stored: its filter may name projects that the caller cannot see. */
export type WorkspaceViewRow = WorkspaceViewView;

const columns = `id, name, filter, is_shared, layout, group_by, columns, created_by, created_at, updated_at`;

/** Returns shared views, which guests do not see, and the caller's own ones, newest first. */
export function listViews(
  { db, workspace, principal }: InWorkspace,
  after: Cursor | null,
  limit: number,
): Promise<WorkspaceViewRow[]> {
  const beyond = after ? "and (created_at, id) < ($5::timestamptz, $6::uuid)" : "";
  const scan = (which: string) => `
    (select ${columns} from workspace_view where workspace_id = $1 and ${which} ${beyond}
     order by created_at desc, id desc limit $4)`;
  return db.query<WorkspaceViewRow>(
    {
      name: `list_views_${after !== null}`,
      text: `
        ${scan("is_shared and (created_by = $2 or not $3::boolean)")} union all
        ${scan("not is_shared and created_by = $2")}
        order by created_at desc, id desc limit $4`,
    },
    [workspace.id, principal.user_id, principal.role === "guest", limit, ...(after ?? [])],
  );
}

export async function readView({ db, workspace }: InWorkspace, id: string): Promise<WorkspaceViewRow | null> {
  const text = `select ${columns} from workspace_view where workspace_id = $1 and id = $2`;
  const [row] = await db.query<WorkspaceViewRow>({ name: "read_view", text }, [workspace.id, id]);
  return row ?? null;
}

/** Counts the shared views of the workspace, or the views that a user keeps for themselves. */
export async function countViews({ db, workspace }: InWorkspace, ownerId: string | null): Promise<number> {
  const which = ownerId === null ? "is_shared" : "not is_shared and created_by = $2";
  const [row] = await db.query<{ views: number }>(
    { text: `select count(*) as views from workspace_view where workspace_id = $1 and ${which}` },
    ownerId === null ? [workspace.id] : [workspace.id, ownerId],
  );
  return row?.views ?? 0;
}

export type SeenProject = { id: string; key: string; slug: string };

/** Returns the projects among these ids that the caller sees. Archived ones too, because they can be restored. */
export const projectsAmong = ({ db, workspace, principal }: InWorkspace, ids: readonly string[]) =>
  db.query<SeenProject>(
    {
      name: "projects_among",
      text: `
        select p.id, p.key, p.slug from project p
        where p.workspace_id = $1 and ${visible(2)} and p.id = any($6::uuid[])`,
    },
    [workspace.id, ...visibility(principal), ids],
  );

/** Returns the live projects that the caller sees; with `ids`, only those of them. */
export const liveProjects = ({ db, workspace, principal }: InWorkspace, ids: readonly string[] | null) =>
  db.query<SeenProject>(
    {
      name: "live_projects",
      text: `
        select p.id, p.key, p.slug from project p
        where p.workspace_id = $1 and p.archived_at is null and ${visible(2)}
          and ($6::uuid[] is null or p.id = any($6))`,
    },
    [workspace.id, ...visibility(principal), ids],
  );
