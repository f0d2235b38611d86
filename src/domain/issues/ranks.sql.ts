import type { InProject } from "../context.ts";
import { readId } from "../ids.ts";

/** Reads and writes of ranks. All run while the project's counter row is held. */

/** Finds the issue that a body names as its neighbour, by key or id. */
export async function issueAt({ db, workspace, project }: InProject, ref: string): Promise<string | null> {
  const number = /^([A-Za-z][A-Za-z0-9]*)-(\d{1,9})$/.exec(ref);
  const own = number?.[1]?.toUpperCase() === project.key ? Number(number[2]) : null;
  const [row] = await db.query<{ id: string }>(
    {
      text: `select id from issue where workspace_id = $1 and project_id = $2 and (id = $3::uuid or number = $4::int)`,
    },
    [workspace.id, project.id, readId(ref), own],
  );
  return row?.id ?? null;
}

/** First or last live issue of a column, the moved one left out. */
export async function edgeOf(
  { db, workspace, project }: InProject,
  columnId: string,
  edge: "top" | "bottom",
  without: string | null,
): Promise<string | null> {
  const order = edge === "top" ? "asc" : "desc";
  const [row] = await db.query<{ id: string }>(
    {
      text: `
        select id from issue
        where workspace_id = $1 and project_id = $2 and status = (select category from board_status where id = $3)
          and status_id = $3 and archived_at is null and id is distinct from $4::uuid
        order by rank ${order}, id ${order} limit 1`,
    },
    [workspace.id, project.id, columnId, without],
  );
  return row?.id ?? null;
}

export type Gap = { low: string | null; high: string | null };

/**
 * The ranks on both sides of a place. The end of the project lies before the rank of the next new issue, so that what
 * is moved there and what is created later never share one.
 */
export async function gapAt(
  { db, workspace, project }: InProject,
  spot: string | null,
  side: "before" | "after",
  without: string | null,
): Promise<Gap> {
  const live = `workspace_id = $1 and project_id = $2 and archived_at is null and id is distinct from $4::uuid`;
  const at = `(select rank from issue where id = $3)`;
  const low =
    side === "before"
      ? `(select max(rank) from issue where ${live} and rank < ${at})`
      : `coalesce(${at}, (select max(rank) from issue where ${live}))`;
  const high = side === "before" ? at : `(select min(rank) from issue where ${live} and id <> $3 and rank >= ${at})`;
  const [row] = await db.query<Gap & { next: string }>(
    {
      text: `
        select ${low} as low, ${high} as high,
               (select rank_of(last_number + 1) from issue_counter where project_id = $2) as next`,
    },
    [workspace.id, project.id, spot, without],
  );
  if (!row) return { low: null, high: null };
  const end = row.low === null || row.low < row.next ? row.next : null;
  return { low: row.low, high: row.high ?? end };
}

/** Gives the issues around a rank evenly spread ranks between the neighbours further out. */
export async function respread(
  { db, workspace, project }: InProject,
  around: string,
  reach: number,
  spread: (count: number, from: string | null, to: string | null) => string[],
): Promise<void> {
  const live = `workspace_id = $1 and project_id = $2 and archived_at is null`;
  const rows = await db.query<{ id: string; rank: string }>(
    {
      text: `
        (select id, rank from issue where ${live} and rank < $3 order by rank desc, id desc limit $4)
        union all
        (select id, rank from issue where ${live} and rank >= $3 order by rank, id limit $4)
        order by rank, id`,
    },
    [workspace.id, project.id, around, reach],
  );
  // The outermost keep their ranks; runs of equal ranks at the edge belong to what is spread.
  const first = rows[0]?.rank ?? null;
  const last = rows.at(-1)?.rank ?? null;
  const inner = rows.filter((row) => row.rank !== first && row.rank !== last);
  const moved = inner.length > 0 ? inner : rows;
  const ranks = inner.length > 0 ? spread(moved.length, first, last) : spread(moved.length, null, null);
  await db.query(
    {
      text: `update issue i set rank = u.rank from unnest($2::uuid[], $3::text[]) as u(id, rank) where i.workspace_id = $1 and i.id = u.id`,
    },
    [workspace.id, moved.map((row) => row.id), ranks],
  );
}
