import type { Db } from "../../kernel/ports/ports.ts";
import type { NewStatus } from "./inputs.ts";

export type NewProject = {
  id: string;
  key: string;
  slug: string;
  name: string;
  description_md: string | null;
  lead_user_id: string | null;
  scoped: boolean;
  estimation_unit: string;
  icon: string | null;
  color: string | null;
  start_at: string | null;
  start_on: string | null;
  target_at: string | null;
  target_on: string | null;
  default_status_id: string | null;
  created_by: string;
};
export type NewColumn = Required<NewStatus> & { id: string; rank: string };
export type NewProjectMember = { user_id: string; role: string };

/** Stores a project with its board, its issue counter and its members in one statement. */
export async function insertProject(
  db: Db,
  workspaceId: string,
  at: { project: NewProject; columns: NewColumn[]; members: NewProjectMember[]; now: string },
): Promise<void> {
  await db.query(
    {
      text: `
        with made as (
          insert into project (id, workspace_id, key, slug, name, description_md, lead_user_id, scoped, estimation_unit,
                               icon, color, start_at, start_on, target_at, target_on, default_status_id, created_by, created_at, updated_at)
          select id, $1, key, slug, name, description_md, lead_user_id, scoped, estimation_unit, icon, color, start_at,
                 start_on, target_at, target_on, default_status_id, created_by, $5::timestamptz, $5::timestamptz
          from jsonb_to_record($2::jsonb) as t(
            id uuid, key text, slug text, name text, description_md text, lead_user_id uuid, scoped boolean,
            estimation_unit text, icon text, color text, start_at timestamptz, start_on date,
            target_at timestamptz, target_on date,
            default_status_id uuid, created_by uuid)
          returning id, created_by
        ),
        counter as (insert into issue_counter (project_id) select id from made),
        board as (
          insert into board_status (id, workspace_id, project_id, name, color, category, rank, created_at, updated_at)
          select c.id, $1, made.id, c.name, c.color, c.category, c.rank, $5::timestamptz, $5::timestamptz
          from made, jsonb_to_recordset($3::jsonb) as c(id uuid, name text, color text, category text, rank text)
        )
        insert into project_member (project_id, user_id, workspace_id, role, added_by, added_at)
        select made.id, m.user_id, $1, m.role, made.created_by, $5::timestamptz
        from made, jsonb_to_recordset($4::jsonb) as m(user_id uuid, role text)`,
    },
    [workspaceId, JSON.stringify(at.project), JSON.stringify(at.columns), JSON.stringify(at.members), at.now],
  );
}

/** Returns a project whose key or slug equals this key or slug. A path accepts either. */
export async function projectNamed(
  db: Db,
  workspaceId: string,
  key: string,
  slug: string,
): Promise<{ id: string; key: string; slug: string } | null> {
  const [row] = await db.query<{ id: string; key: string; slug: string }>(
    {
      text: `
        select id, key, slug from project
        where workspace_id = $1 and (key in ($2, upper($3)) or slug in (lower($2), $3))
        order by key = $2 desc limit 1`,
    },
    [workspaceId, key, slug],
  );
  return row ?? null;
}

/** Returns the keys among these that are in use as a key or as a slug. */
export async function takenKeys(db: Db, workspaceId: string, keys: string[]): Promise<Set<string>> {
  const rows = await db.query<{ key: string }>(
    {
      text: `
        select k.key from unnest($2::text[]) as k(key)
        where exists (select 1 from project where workspace_id = $1 and key = k.key)
           or exists (select 1 from project where workspace_id = $1 and slug = lower(k.key))`,
    },
    [workspaceId, keys],
  );
  return new Set(rows.map((row) => row.key));
}
