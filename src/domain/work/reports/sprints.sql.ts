import type { InProject } from "../../kernel/context.ts";
import { own } from "../../kernel/own.ts";
import { nameKey } from "../../kernel/text.ts";
import { isTallied, SUMS_OF_SPRINT, SUMS_OF_STEP } from "./tallies.sql.ts";
import type { Unit } from "./views.ts";

/** Reads for velocity: sprints, their snapshots, and the sums of their issues. */

const UNIT_OF: Record<string, Unit> = { points: "points", time: "minutes", none: "issues" };

/** Returns the unit in which the project estimates, and whether it has sprints. */
export async function planningOf({ db, workspace, project }: InProject): Promise<{ unit: Unit; hasSprints: boolean }> {
  const [row] = await db.query<{ estimation_unit: string; has_sprints: boolean }>(
    {
      name: "report_planning",
      text: `
        select p.estimation_unit,
               exists (select from sprint s where s.project_id = p.id and s.deleted_at is null) as has_sprints
        from project p where p.workspace_id = $1 and p.id = $2`,
    },
    [workspace.id, project.id],
  );
  return { unit: own(UNIT_OF, row!.estimation_unit)!, hasSprints: row!.has_sprints };
}

/** Sums over issues, in each unit. */
export type Sums = Record<Unit, number>;

export type SprintFigures = {
  sprint_id: string;
  sprint_name: string;
  status: "active" | "completed";
  start_at: string | null;
  end_at: string | null;
  committed_issues: number;
  committed_points: number;
  committed_minutes: number;
  completed_issues: number;
  completed_points: number;
  completed_minutes: number;
  open_issues: number;
  added_issues: number;
  removed_issues: number;
};

/** SQL: a project's sprints. */
export const SPRINTS = "workspace_id = $1 and project_id = $2 and deleted_at is null";

/** Returns the sprint with the id, else those with the name, or the active one if the name is `active`; at most two. */
export const findSprint = ({ db, workspace, project }: InProject, id: string | null, name: string) =>
  db.query<{ id: string }>(
    {
      text: `
        select id from sprint
        where ${SPRINTS} and (id = $3::uuid or name_key(name) = $4 or ($4 = 'active' and status = 'active'))
        order by id = $3::uuid desc nulls last, id limit case when $3::uuid is null then 2 else 1 end`,
    },
    [workspace.id, project.id, id, nameKey(name)],
  );

/** Names that an error shows. */
const MAX_NAMES = 100;

/** Returns the names of the project's sprints, the latest first. */
export async function sprintNames({ db, workspace, project }: InProject): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    { text: `select name from sprint where ${SPRINTS} order by id desc limit $3` },
    [workspace.id, project.id, MAX_NAMES],
  );
  return rows.map(({ name }) => name);
}

/** SQL: what active sprints of `bar` have come to: their kept sums, and the steps that are not in these yet. */
const STANDING = `
  select bar.id, sum(completed_issues)::bigint, sum(completed_points)::bigint, sum(completed_minutes)::bigint,
         sum(remaining_issues)::bigint, sum(scope_issues - k.committed_issues)::bigint,
         (bar.committed_issues - sum(k.committed_issues))::bigint
  from bar, lateral (
    select ${SUMS_OF_SPRINT.join(", ")}, committed_issues from sprint_standing t where t.sprint_id = bar.id
    union all
    select ${SUMS_OF_STEP}, case when exists (
        select from taken c join sprint_snapshot_issue s on s.snapshot_id = c.id
        where c.sprint_id = bar.id and c.kind = 'commitment' and s.issue_id = t.issue_id) then t.n else 0 end
    from issue_step t where t.project_id = $2 and t.sprint_id = bar.id
    union all
    select ${SUMS_OF_SPRINT.map(() => "0").join(", ")}, 0) k
  where bar.status = 'active' and not exists (select from sprint_to_count c where c.sprint_id = bar.id)
  group by bar.id, bar.committed_issues`;

/**
 * Returns the latest sprints that were started or completed, latest first. Figures of a completed sprint come from its
 * snapshot, so later changes of its issues do not affect them, and were summed up with it (`sum_up_completion`). Figures
 * of an active sprint come from its sums, or from its issues until these are there.
 */
export function latestSprints(
  { db, workspace, project }: InProject,
  { max, since, until }: { max: number; since: string | null; until: string | null },
): Promise<SprintFigures[]> {
  return db.query<SprintFigures>(
    {
      text: `
        with bar as materialized (
          select *, coalesce(started_at, completed_at) as began_at from sprint
          where ${SPRINTS} and status in ('active', 'completed')
            and ($4::timestamptz is null or coalesce(started_at, completed_at) >= $4)
            and ($5::timestamptz is null or coalesce(started_at, completed_at) < $5)
          order by began_at desc, id desc limit $3
        ),
        taken as materialized (
          -- The newest snapshot of each kind counts. A commitment that was cleared because the sprint was reopened does
          -- not.
          select distinct on (p.sprint_id, p.kind) p.*
          from bar join sprint_snapshot p on p.sprint_id = bar.id
          where p.workspace_id = $1
            and (p.kind = 'commitment' and bar.committed_issues is not null
                 or p.kind = 'completion' and bar.status = 'completed')
          order by p.sprint_id, p.kind, p.taken_at desc, p.id desc
        ),
        summed as materialized (
          select sprint_id, completed_issues, completed_points, completed_minutes, open_issues, added_issues,
                 removed_issues
          from taken where kind = 'completion' and completed_issues is not null
          union all
          select * from (${STANDING}) s where $6
        ),
        counted as materialized (select id as sprint_id from bar where id not in (select sprint_id from summed)),
        committed as materialized (
          select t.sprint_id, i.issue_id
          from counted join taken t using (sprint_id) join sprint_snapshot_issue i on i.snapshot_id = t.id
          where t.kind = 'commitment'
        ),
        final as materialized (
          select t.sprint_id, i.issue_id, i.status, i.story_points, i.estimate_minutes
          from counted join taken t using (sprint_id) join sprint_snapshot_issue i on i.snapshot_id = t.id
          where t.kind = 'completion'
          union all
          select i.sprint_id, i.id, i.status, i.story_points, i.estimate_minutes
          from counted join bar on bar.id = counted.sprint_id join issue i on i.sprint_id = bar.id
          where bar.status = 'active' and i.archived_at is null
        ),
        ended as (
          select f.sprint_id,
            count(*) filter (where f.status = 'done') as completed_issues,
            coalesce(sum(f.story_points) filter (where f.status = 'done'), 0) as completed_points,
            coalesce(sum(f.estimate_minutes) filter (where f.status = 'done'), 0) as completed_minutes,
            count(*) filter (where f.status not in ('done', 'failed', 'cancelled')) as open_issues,
            count(*) filter (where c.issue_id is null) as added_issues
          from final f left join committed c using (sprint_id, issue_id)
          group by f.sprint_id
          union all
          select sprint_id, completed_issues, completed_points, completed_minutes, open_issues, added_issues
          from summed
        ),
        lost as (
          select c.sprint_id, count(*) as removed_issues
          from committed c left join final f using (sprint_id, issue_id)
          where f.issue_id is null
          group by c.sprint_id
          union all
          select sprint_id, removed_issues from summed
        )
        select bar.id as sprint_id, bar.name as sprint_name, bar.status, bar.start_at, bar.end_at,
          coalesce(bar.committed_issues, 0) as committed_issues,
          coalesce(bar.committed_points, 0) as committed_points,
          coalesce(bar.committed_minutes, 0) as committed_minutes,
          coalesce(completed_issues, 0) as completed_issues,
          coalesce(completed_points, 0) as completed_points,
          coalesce(completed_minutes, 0) as completed_minutes,
          coalesce(open_issues, 0) as open_issues,
          coalesce(added_issues, 0) as added_issues,
          coalesce(removed_issues, 0) as removed_issues
        from bar left join ended on ended.sprint_id = bar.id left join lost on lost.sprint_id = bar.id
        order by bar.began_at desc, bar.id desc`,
    },
    [workspace.id, project.id, max, since, until, isTallied(db)],
  );
}
