import type { Ctx } from "../../kernel/context.ts";
import { fractionOf, percentOf } from "./fraction.sql.ts";

type InTree = Pick<Ctx, "db"> & { workspace: { id: string } };

/** Goals with all goals above them. */
export const goalsWithAncestors = ({ db, workspace }: InTree, ids: readonly string[]) =>
  db.query<{ id: string; parent_goal_id: string | null }>(
    {
      name: "goals_with_ancestors",
      text: `
        with recursive up as (
          select id, parent_goal_id from goal
          where workspace_id = $1 and id = any($2::uuid[]) and deleted_at is null
          union
          select g.id, g.parent_goal_id from up join goal g on g.id = up.parent_goal_id and g.deleted_at is null)
        select id, parent_goal_id from up`,
    },
    [workspace.id, ids],
  );

export type Rolled = { id: string; parent_goal_id: string | null; old_pct: number | null };

/**
 * Computes the progress of goals from what is measured directly below them: the mean of their key results and goals by
 * weight. Returns the goals whose progress changed.
 */
export const rollUpGoals = ({ db, workspace }: InTree, ids: readonly string[]): Promise<Rolled[]> =>
  db.query<Rolled>(
    {
      name: "roll_up_goals",
      text: `
        with sums as (
          select above as id, sum(weight * progress) as n, sum(weight) as d from (
            select goal_id as above, weight, progress from key_result
            where workspace_id = $1 and goal_id = any($2::uuid[]) and deleted_at is null and progress is not null
            union all
            select parent_goal_id, weight, progress from goal
            where workspace_id = $1 and parent_goal_id = any($2::uuid[]) and deleted_at is null
              and progress is not null) below
          group by above),
        next as (
          select g.id, g.progress as old,
                 coalesce(g.progress_override * 0.01,
                          case when sums.id is not null then ${fractionOf("sums.n", "sums.d")} end) as progress
          from goal g left join sums on sums.id = g.id
          where g.workspace_id = $1 and g.id = any($2::uuid[]) and g.deleted_at is null)
        update goal g set progress = next.progress from next
        where g.id = next.id and g.progress is distinct from next.progress
        returning g.id, g.parent_goal_id, ${percentOf("next.old")} as old_pct`,
    },
    [workspace.id, ids],
  );

/** Stores the announced status of goals, and when it has to be looked at again. */
export async function storeStandings(
  { db, workspace }: InTree,
  standings: readonly { id: string; status: string; until: string | null }[],
): Promise<void> {
  await db.query(
    {
      name: "store_goal_standings",
      text: `
        update goal g set status = s.status, status_due_at = s.until
        from unnest($2::uuid[], $3::text[], $4::timestamptz[]) as s(id, status, until)
        where g.workspace_id = $1 and g.id = s.id
          and (g.status, g.status_due_at) is distinct from (s.status, s.until)`,
    },
    [
      workspace.id,
      standings.map(({ id }) => id),
      standings.map(({ status }) => status),
      standings.map(({ until }) => until),
    ],
  );
}
