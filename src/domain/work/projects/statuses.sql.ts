import type { InProject } from "../../kernel/context.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { nameKey } from "../../kernel/text.ts";
import type { Ranked } from "../positions.ts";
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

/** Returns a project's columns, by rank. */
export const readBoard = (db: Db, workspaceId: string, projectId: string): Promise<StatusView[]> =>
  db.query<StatusView>(BOARD, [workspaceId, projectId]);

/** Returns the id of the column with this name, ignoring case. */
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
        where workspace_id = $1 and project_id = $2 and deleted_at is null and name_key(name) = $3`,
    },
    [workspaceId, projectId, nameKey(name)],
  );
  return row?.id ?? null;
}

/** Stores new ranks of columns. */
export async function setRanks({ db, workspace, now }: InProject, ranks: Ranked[]): Promise<void> {
  await db.query(
    {
      text: `
        update board_status s set rank = r.rank, updated_at = $4
        from unnest($2::uuid[], $3::text[]) as r(id, rank)
        where s.workspace_id = $1 and s.id = r.id`,
    },
    [workspace.id, ranks.map(({ id }) => id), ranks.map(({ rank }) => rank), now],
  );
}
