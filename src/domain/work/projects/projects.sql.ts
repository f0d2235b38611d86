import { visibility, visible } from "../../access/identity/visible.sql.ts";
import { byName } from "../../kernel/paging.sql.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { ProjectView } from "./view.ts";

/** A project with the caller's role. Counts of categories without issues are absent. */
export type ProjectRow = Omit<ProjectView, "issue_counts" | "url"> & {
  issue_counts: Partial<ProjectView["issue_counts"]> | null;
};

// Columns store their number of live issues, so nothing is counted here.
const columns = `
  p.id, p.key, p.slug, p.name, p.description_md, p.lead_user_id, p.scoped, p.estimation_unit, p.archived_at,
  p.created_at, p.updated_at, p.icon, p.color, p.start_at, p.start_on, p.target_at, p.target_on, p.default_status_id, p.default_assignee_id,
  p.transition_rules, p.wip_mode, p.enforce_blockers, p.auto_start, p.created_by, pm.role as my_role,
  (select jsonb_object_agg(c.category, c.issues)
   from (select s.category, sum(s.issue_count) as issues from board_status s
         where s.project_id = p.id and s.deleted_at is null group by s.category) c) as issue_counts`;

const read = (which: string) => `
  select ${columns} from project p
  left join project_member pm on pm.project_id = p.id and pm.user_id = $3
  where p.workspace_id = $1 and ${which}`;
const READ = { name: "project_read", text: read("p.id = $2") };

/** Returns a project that exists, as a user sees it. */
export async function readProject(
  db: Db,
  workspaceId: string,
  projectId: string,
  userId: string | null,
): Promise<ProjectRow> {
  const [row] = await db.query<ProjectRow>(READ, [workspaceId, projectId, userId]);
  if (!row) throw new Error("A project that was located is gone; projects are never deleted.");
  return row;
}

/** Returns projects as a user sees them. */
export const readProjects = (db: Db, workspaceId: string, ids: string[], userId: string): Promise<ProjectRow[]> =>
  db.query<ProjectRow>({ text: read("p.id = any($2::uuid[])") }, [workspaceId, ids, userId]);

/** Returns a page of the projects that the caller can see, by name. */
export function listProjects(
  db: Db,
  workspaceId: string,
  principal: Principal,
  options: { archived: boolean; after: Cursor | null; limit: number },
): Promise<ProjectRow[]> {
  const { archived, after, limit } = options;
  const name = `list_projects_${archived}_${after !== null}`;
  return db.query<ProjectRow>(
    {
      name,
      text: `
        select ${columns} from project p
        left join project_member pm on pm.project_id = p.id and pm.user_id = $2
        where p.workspace_id = $1 and p.archived_at is ${archived ? "not null" : "null"}
          and ${visible(4)}
          ${after ? `and (${byName("p.name")}, p.id) > ($8::text, $9::uuid)` : ""}
        order by ${byName("p.name")}, p.id limit $3`,
    },
    [workspaceId, principal.user_id, limit, ...visibility(principal), ...(after ?? [])],
  );
}

export async function countLive(db: Db, workspaceId: string): Promise<number> {
  const [row] = await db.query<{ projects: number }>(
    { text: `select count(*) as projects from project where workspace_id = $1 and archived_at is null` },
    [workspaceId],
  );
  return row?.projects ?? 0;
}
