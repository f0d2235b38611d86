import type { InProject } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { isLive } from "../../kernel/present.sql.ts";
import type { MilestoneRow, ReleaseRow, SprintRow } from "./views.ts";

/** Reads of milestones, sprints and releases. Their tables differ in a few columns only. */

/** The context of reads and changes of a project's plans. It has no principal, because a forge may be the caller. */
export type InPlan = { db: Db; workspace: { id: string }; project: { id: string } };

export type Table = "milestone" | "sprint" | "release";
export type Rows = { milestone: MilestoneRow; sprint: SprintRow; release: ReleaseRow };

const COLUMNS: Record<Table, string> = {
  milestone: "description_md, start_at, start_on, due_at, due_on, completed_at",
  sprint:
    "goal, start_at, start_on, end_at, end_on, capacity_points, started_at, completed_at, committed_issues, committed_points",
  release: "version, description_md, target_date, target_on, released_at",
};

const COUNTS = `
  count(*) as total, count(*) filter (where i.status = 'done') as done,
  count(*) filter (where i.status = 'failed') as failed, count(*) filter (where i.status = 'cancelled') as cancelled`;
const POINTS = `
  coalesce(sum(i.story_points), 0) as points,
  coalesce(sum(i.story_points) filter (where i.status = 'done'), 0) as done_points`;

const LIVE = "workspace_id = $1 and project_id = $2 and deleted_at is null";

const NONE = "0 as total, 0 as done, 0 as failed, 0 as cancelled";
const NO_POINTS = "0 as points, 0 as done_points";

/**
 * Counted with the indexes issue_by_…, which contain all counted columns. Of tens of thousands of issues, counting takes
 * many times as long as everything else, so it is left out for those who do not want to see the result.
 */
const read = (table: Table, which: string, counts: boolean) => `
  with page as materialized (
    select id, name, status, rank, created_by, created_at, updated_at, ${COLUMNS[table]} from ${table}
    where ${LIVE} and ${which})
  select page.*, progress.* from page, lateral (
    ${
      counts
        ? `select ${COUNTS}${table === "sprint" ? `, ${POINTS}` : ""} from issue i
           where i.${table}_id = page.id and ${isLive("i")}`
        : `select ${NONE}${table === "sprint" ? `, ${NO_POINTS}` : ""}`
    }) progress
  order by page.rank, page.id`;

/**
 * Returns a page of a project's milestones, sprints or releases, by rank.
 * @param counts whether their issues are counted; otherwise the counts are 0
 */
export function listPlanned<T extends Table>(
  { db, workspace, project }: InProject,
  table: T,
  { after, limit, counts = true }: { after: Cursor | null; limit: number; counts?: boolean },
): Promise<Rows[T][]> {
  const beyond = after ? `(rank, id) > ($4::text collate "C", $5::uuid)` : "true";
  return db.query<Rows[T]>(
    {
      name: `list_${table}s${counts ? "" : "_uncounted"}${after ? "_after" : ""}`,
      text: read(table, `${beyond} order by rank, id limit $3`, counts),
    },
    [workspace.id, project.id, limit, ...(after ?? [])],
  );
}

export async function readPlanned<T extends Table>(
  { db, workspace, project }: InPlan,
  table: T,
  id: string,
  counts = true,
): Promise<Rows[T] | null> {
  const name = `read_${table}${counts ? "" : "_uncounted"}`;
  const [row] = await db.query<Rows[T]>({ name, text: read(table, "id = $3", counts) }, [workspace.id, project.id, id]);
  return row ?? null;
}

/**
 * Returns the ranks on both sides of a position: before or after a neighbour, or at the end if the neighbour is null.
 * `without` is the one that moves. Returns null if the neighbour does not exist.
 */
export async function gapBeside(
  { db, workspace, project }: InProject,
  table: Table,
  { neighbour, side }: { neighbour: string | null; side: "before" | "after" },
  without: string | null,
): Promise<{ low: string | null; high: string | null } | null> {
  const others = `select rank from ${table} where ${LIVE} and id is distinct from $4::uuid`;
  const at = `(${others} and id = $3::uuid)`;
  const [beyond, order] = side === "before" ? ["<", "desc"] : [">", "asc"];
  const next = `(${others} and (rank, id) ${beyond} (${at}, $3::uuid) order by rank ${order}, id ${order} limit 1)`;
  const last = `(${others} order by rank desc, id desc limit 1)`;
  const [row] = await db.query<{ at: string | null; next: string | null; last: string | null }>(
    { text: `select ${at} as at, ${next} as next, ${last} as last` },
    [workspace.id, project.id, neighbour, without],
  );
  if (neighbour === null) return { low: row!.last, high: null };
  if (row!.at === null) return null;
  return side === "before" ? { low: row!.next, high: row!.at } : { low: row!.at, high: row!.next };
}

/** Returns the ids of all of them by rank, except the one that moves. */
export async function idsInOrder(
  { db, workspace, project }: InProject,
  table: Table,
  without: string | null,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    { text: `select id from ${table} where ${LIVE} and id is distinct from $3::uuid order by rank, id` },
    [workspace.id, project.id, without],
  );
  return rows.map(({ id }) => id);
}

/** Stores new ranks by id. */
export async function setRanks(
  { db, workspace, now }: InProject,
  table: Table,
  ranks: ReadonlyMap<string, string>,
): Promise<void> {
  await db.query(
    {
      text: `
        update ${table} t set rank = r.rank, updated_at = $4 from unnest($2::uuid[], $3::text[]) as r(id, rank)
        where t.workspace_id = $1 and t.id = r.id and t.rank <> r.rank`,
    },
    [workspace.id, [...ranks.keys()], [...ranks.values()], now],
  );
}
