import type { InProject } from "../../kernel/context.ts";
import { isLive } from "../../kernel/present.sql.ts";
import type { Ranked } from "../positions.ts";

/** Reads and writes of ranks. */

/** The position beside an issue, or at the end of the project if `neighbour` is null. */
export type Beside = { neighbour: string | null; side: "before" | "after" };

/** The ranks on both sides of a position; null at the end of the board. */
export type Gap = { low: string | null; high: string | null };

const LIVE = `workspace_id = $1 and project_id = $2 and ${isLive("i")}`;
// The end of a project is below the rank of the next issue that will be created. So an issue that is moved to the end
// and an issue that is created later never get the same rank.
export const NEXT_NEW = "(select rank_of(last_number + 1) from issue_counter where project_id = $2)";

/** Returns the id of the first or last live issue of a column, except `without`. */
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
        select id from issue i
        where ${LIVE} and status = (select category from board_status where id = $3)
          and status_id = $3 and id is distinct from $4::uuid
        order by rank ${order}, id ${order} limit 1`,
    },
    [workspace.id, project.id, columnId, without],
  );
  return row?.id ?? null;
}

/** Returns the ranks on both sides of a position, as if `without` were not on the board. */
export async function gapAt(
  { db, workspace, project }: InProject,
  { neighbour, side }: Beside,
  without: string | null,
): Promise<Gap> {
  const others = `select rank from issue i where ${LIVE} and id is distinct from $4::uuid`;
  const at = `(select rank from issue where id = $3::uuid)`;
  const [beyond, order] = side === "before" ? ["<", "desc"] : [">", "asc"];
  const next = `(${others} and (rank, id) ${beyond} (${at}, $3::uuid) order by rank ${order}, id ${order} limit 1)`;
  const last = `(${others} order by rank desc, id desc limit 1)`;
  const [row] = await db.query<{ at: string | null; other: string | null; last: string | null; next_new: string }>(
    { text: `select ${at} as at, ${next} as other, ${last} as last, ${NEXT_NEW} as next_new` },
    [workspace.id, project.id, neighbour, without],
  );
  const { at: own, other, last: end, next_new } = row!;
  if (side === "before" && own !== null) return { low: other, high: own };
  const low = own ?? end;
  return { low, high: other ?? endBehind(low, next_new) };
}

/** The end of the gap behind the last issue. */
export const endBehind = (low: string | null, next: string) => (low === null || low < next ? next : null);

/**
 * Returns the issues around a rank: up to `reach` on each side, and all issues that share the rank. `low` and `high` are
 * the ranks next to them, which none of them has. The issue that moves (`without`) is left out, because the move sets its
 * rank. `isWhole` is true if the project has no other issues.
 */
export async function surroundings(
  { db, workspace, project }: InProject,
  around: string,
  reach: number,
  without: string | null,
): Promise<Gap & { issues: Ranked[]; isWhole: boolean }> {
  const others = `${LIVE} and id is distinct from $5::uuid`;
  const rows = await db.query<Ranked & { side: number; next: string }>(
    {
      text: `
        select near.*, ${NEXT_NEW} as next from (
          (select id, rank, -1 as side from issue i where ${others} and rank < $3 order by rank desc, id desc limit $4)
          union all
          (select id, rank, 0 from issue i where ${others} and rank = $3)
          union all
          (select id, rank, 1 from issue i where ${others} and rank > $3 order by rank, id limit $4)) near
        order by rank, id`,
    },
    [workspace.id, project.id, around, reach, without],
  );
  const isFull = (side: number) => rows.filter((row) => row.side === side).length === reach;
  const low = isFull(-1) ? rows[0]!.rank : null;
  const last = isFull(1) ? rows.at(-1)!.rank : null;
  // There may be more issues with the rank of an edge beyond `reach`, so issues with that rank keep it.
  const issues = rows.filter(({ rank }) => (low === null || rank > low) && (last === null || rank < last));
  const high = last ?? (rows[0] ? endBehind(low, rows[0].next) : null);
  return { issues, low, high, isWhole: low === null && last === null };
}

/** Returns the last live issue that has each of these ranks. */
export async function holdersOf(
  { db, workspace, project }: InProject,
  ranks: string[],
  without: string | null,
): Promise<Map<string, string>> {
  const rows = await db.query<Ranked>(
    {
      text: `
        select distinct on (i.rank) i.rank, i.id from issue i
        where ${LIVE} and i.rank = any($3::text[]) and i.id is distinct from $4::uuid
        order by i.rank, i.id desc`,
    },
    [workspace.id, project.id, ranks, without],
  );
  return new Map(rows.map(({ id, rank }) => [rank, id]));
}

/** Returns the next rank above this one; null at the end of the board. */
export async function rankAbove(
  { db, workspace, project }: InProject,
  rank: string,
  without: string | null,
): Promise<string | null> {
  const [row] = await db.query<{ above: string | null; next: string }>(
    {
      text: `
        select (select i.rank from issue i where ${LIVE} and i.rank > $3 and i.id is distinct from $4::uuid
                order by i.rank, i.id limit 1) as above,
               ${NEXT_NEW} as next`,
    },
    [workspace.id, project.id, rank, without],
  );
  return row!.above ?? endBehind(rank, row!.next);
}

/** Returns the issues with the rank of a position's neighbour, on both sides of the position, and the ranks next to theirs. */
export async function equalsAt(
  ctx: InProject,
  { neighbour, side }: Beside,
  without: string | null,
): Promise<Gap & { earlier: Ranked[]; later: Ranked[] }> {
  const { db, workspace, project } = ctx;
  const others = `${LIVE} and i.id is distinct from $4::uuid`;
  const rows = await db.query<Ranked & { later: boolean }>(
    {
      text: `
        select i.id, i.rank, i.id ${side === "after" ? ">" : ">="} $3::uuid as later from issue i
        where ${others} and i.rank = (select n.rank from issue n where n.id = $3::uuid) order by i.id`,
    },
    [workspace.id, project.id, neighbour, without],
  );
  const { rank } = rows[0]!;
  const [below] = await db.query<Pick<Ranked, "rank">>(
    { text: `select i.rank from issue i where ${others} and i.rank < $3 order by i.rank desc, i.id desc limit 1` },
    [workspace.id, project.id, rank, without],
  );
  const [earlier, later] = [rows.filter((row) => !row.later), rows.filter((row) => row.later)];
  return { low: below?.rank ?? null, high: await rankAbove(ctx, rank, without), earlier, later };
}

/** Sets the new ranks of locked issues. */
export async function setRanks({ db, workspace, now }: InProject, issues: Ranked[]): Promise<void> {
  await db.query(
    {
      text: `
        update issue i set rank = u.rank, version = version + 1, updated_at = $4
        from unnest($2::uuid[], $3::text[]) as u(id, rank)
        where i.workspace_id = $1 and i.id = u.id`,
    },
    [workspace.id, issues.map(({ id }) => id), issues.map(({ rank }) => rank), now],
  );
}
