import type { Category } from "../../kernel/categories.ts";
import type { InProject } from "../../kernel/context.ts";
import { readId } from "../../kernel/ids.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { isLive } from "../../kernel/present.sql.ts";
import { endBehind, type Gap, NEXT_NEW } from "./ranks.sql.ts";

/** A column of a board. */
export type Column = {
  id: string;
  name: string;
  category: Category;
  rank: string;
  wip_limit: number | null;
  issue_count: number;
};

const COLUMNS = {
  name: "board_columns",
  text: `
    select id, name, category, rank, wip_limit, issue_count from board_status
    where workspace_id = $1 and project_id = $2 and deleted_at is null order by rank, id`,
};

export const columnsOf = (db: Db, workspaceId: string, projectId: string): Promise<Column[]> =>
  db.query<Column>(COLUMNS, [workspaceId, projectId]);

/** A column with the ranks around the place behind its last issue. */
export type ColumnWithEnd = Column & { end: Gap | null };

/**
 * The board's columns. Those of a category, and the one with an id, come with their ends, as if the issue `without` were
 * not on the board. The caller has locked the board.
 */
export async function columnsWithEnds(
  { db, workspace, project }: InProject,
  { status, status_id }: { status?: Category; status_id?: string },
  without: string,
): Promise<ColumnWithEnd[]> {
  type Row = Column & { low: string | null; above: string | null; next_new: string | null };
  const values = [
    workspace.id,
    project.id,
    status ?? null,
    status_id === undefined ? null : readId(status_id),
    without,
  ];
  const rows = await db.query<Row>(COLUMNS_WITH_ENDS, values);
  return rows.map(({ low, above, next_new, ...column }) => ({
    ...column,
    end: next_new === null ? null : { low, high: above ?? endBehind(low, next_new) },
  }));
}

const OTHERS = `i.workspace_id = $1 and i.project_id = $2 and ${isLive("i")} and i.id <> $5`;
// A range instead of an equality, so that only issue_by_status has the order. However the planner guesses how many issues
// have the status, it must not go through the whole board for the last one in a column.
const IN_COLUMN = "i.status >= c.category and i.status <= c.category and i.status_id = c.id";

const COLUMNS_WITH_ENDS = {
  name: "board_columns_with_ends",
  text: `
    select c.id, c.name, c.category, c.rank, c.wip_limit, c.issue_count, e.low, e.above, e.next_new
    from board_status c left join lateral (
      select ${NEXT_NEW} as next_new,
             coalesce(last.rank, (select i.rank from issue i where ${OTHERS} order by i.rank desc, i.id desc limit 1)) as low,
             (select i.rank from issue i where ${OTHERS} and (i.rank, i.id) > (last.rank, last.id)
              order by i.rank, i.id limit 1) as above
      from (select 1) one left join lateral (
        select i.rank, i.id from issue i where ${OTHERS} and ${IN_COLUMN}
        order by i.status desc, i.rank desc, i.id desc limit 1) last on true
      where c.category = $3 or c.id = $4
    ) e on true
    where c.workspace_id = $1 and c.project_id = $2 and c.deleted_at is null order by c.rank, c.id`,
};

/** Returns the sprint if it is completed. */
export async function completedSprint(
  { db, workspace }: InProject,
  sprintId: string,
): Promise<{ id: string; name: string } | null> {
  const text = `
    select id, name from sprint
    where workspace_id = $1 and id = $2 and status = 'completed' and deleted_at is null`;
  const [row] = await db.query<{ id: string; name: string }>({ name: "completed_sprint", text }, [
    workspace.id,
    sprintId,
  ]);
  return row ?? null;
}

/** Returns the id of the project's active sprint, if any. */
export async function activeSprint(db: Db, workspaceId: string, projectId: string): Promise<string | null> {
  const text = `select id from sprint where workspace_id = $1 and project_id = $2 and status = 'active' and deleted_at is null`;
  const [row] = await db.query<{ id: string }>({ name: "active_sprint", text }, [workspaceId, projectId]);
  return row?.id ?? null;
}
