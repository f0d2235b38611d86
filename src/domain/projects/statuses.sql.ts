import type { Db } from "../ports.ts";
import type { StatusView } from "./status-view.ts";

const BOARD = {
  name: "board_read",
  text: `
    select s.id, s.name, s.color, s.category, s.rank, s.wip_limit, s.issue_count, s.description, s.created_at,
           s.updated_at, s.id is not distinct from p.default_status_id as is_default
    from board_status s join project p on p.id = s.project_id
    where s.workspace_id = $1 and s.project_id = $2 and s.deleted_at is null
    order by s.rank, s.id`,
};

/** A project's live columns, in order. */
export const readBoard = (db: Db, workspaceId: string, projectId: string): Promise<StatusView[]> =>
  db.query<StatusView>(BOARD, [workspaceId, projectId]);

/** The column that has a name already, ignoring case as the unique index does. */
export async function statusNamed(
  db: Db,
  workspaceId: string,
  projectId: string,
  name: string,
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    {
      text: `
        select id from board_status
        where workspace_id = $1 and project_id = $2 and deleted_at is null and lower(name) = lower($3)`,
    },
    [workspaceId, projectId, name],
  );
  return row?.id ?? null;
}

/** Gives columns new ranks. */
export async function setRanks(db: Db, workspaceId: string, ranks: { id: string; rank: string }[]): Promise<void> {
  await db.query(
    {
      text: `
        update board_status s set rank = r.rank from unnest($2::uuid[], $3::text[]) as r(id, rank)
        where s.workspace_id = $1 and s.id = r.id`,
    },
    [workspaceId, ranks.map(({ id }) => id), ranks.map(({ rank }) => rank)],
  );
}

export async function setDefault(
  db: Db,
  workspaceId: string,
  { projectId, statusId, now }: { projectId: string; statusId: string; now: string },
): Promise<void> {
  await db.query(
    { text: `update project set default_status_id = $3, updated_at = $4 where workspace_id = $1 and id = $2` },
    [workspaceId, projectId, statusId, now],
  );
}

/** Takes a deleted column out of its project: out of the board's rules, and `heir` becomes the default in its place. */
export async function forgetStatus(
  db: Db,
  workspaceId: string,
  { projectId, statusId, heir, now }: { projectId: string; statusId: string; heir: string; now: string },
): Promise<void> {
  await db.query(
    {
      text: `
        update project set
          default_status_id = case when default_status_id = $3 then $4::uuid else default_status_id end,
          transition_rules = (select jsonb_object_agg(r.key, r.value - $3::text)
                              from jsonb_each(transition_rules - $3::text) r),
          updated_at = $5
        where workspace_id = $1 and id = $2
          and (default_status_id = $3 or strpos(transition_rules::text, $3::text) > 0)`,
    },
    [workspaceId, projectId, statusId, heir, now],
  );
}
