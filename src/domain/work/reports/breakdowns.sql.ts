import { nameOrEmail, seesEmails } from "../../access/identity/emails.ts";
import type { IssueType } from "../../access/identity/issue-row.ts";
import { kindOf, type UserKind } from "../../access/identity/kind.sql.ts";
import type { Category } from "../../kernel/categories.ts";
import type { InProject } from "../../kernel/context.ts";
import { ISSUES, LIVE } from "./live.ts";
import type { ReportParams } from "./params.ts";
import { isTallied, LOADS, OPEN_STATUSES, STANDINGS } from "./tallies.sql.ts";

/**
 * Counts for the breakdowns and the workload, of issues that are not archived, as they are now: of the whole project, or of
 * a sprint. Those of a sprint are counted, those of the project were counted before (tallies.sql.ts).
 */

/** The sprint's issues are found by its own index, and the project's by theirs, so the text differs. */
const within = (sprint: string | undefined, parameter: number) => (sprint ? ` and i.sprint_id = $${parameter}` : "");
const also = (sprint: string | undefined) => (sprint ? [sprint] : []);

const OPEN = `${LIVE} and i.status in ${OPEN_STATUSES}`;

export type ColumnCount = {
  status_id: string;
  status_name: string;
  category: Category;
  color: string;
  count: number;
  points: number;
  avg_age_days: number;
};

/** Returns the counts of each column of the board, by rank. */
export function countByColumn(
  { db, workspace, project, now }: InProject,
  sprint: string | undefined,
): Promise<ColumnCount[]> {
  const issues = `
    select i.status_id, count(*) as issues, coalesce(sum(i.story_points), 0) as points,
           sum(extract(epoch from i.created_at)) as created
    from ${ISSUES} where ${LIVE}${within(sprint, 4)} group by i.status_id`;
  const tally = `
    select s.status_id, sum(s.issues) as issues, sum(s.points) as points, sum(s.created) as created
    from ${STANDINGS} group by s.status_id having sum(s.issues) > 0`;
  return db.query<ColumnCount>(
    {
      text: `
        with counted as materialized (${isTallied(db, undefined, sprint) ? tally : issues})
        select s.id as status_id, s.name as status_name, s.category, s.color, coalesce(issues, 0) as count,
               coalesce(points, 0) as points,
               greatest(coalesce(round((extract(epoch from $3::timestamptz) - created / issues) / 86400, 1), 0), 0)
                 as avg_age_days
        from board_status s left join counted c on c.status_id = s.id
        where s.workspace_id = $1 and s.project_id = $2 and s.deleted_at is null
        order by s.rank, s.id`,
    },
    [workspace.id, project.id, now, ...also(sprint)],
  );
}

export type TypeCount = { type: IssueType; status: Category; count: number; points: number };

/** Returns the counts for each type and category that occurs. */
export function countByType({ db, workspace, project }: InProject, sprint: string | undefined): Promise<TypeCount[]> {
  const issues = `
    select i.type, i.status, count(*) as count, coalesce(sum(i.story_points), 0) as points
    from ${ISSUES} where ${LIVE}${within(sprint, 3)} group by i.type, i.status`;
  const tally = `
    select s.type, s.status, sum(s.issues)::bigint as count, sum(s.points)::bigint as points
    from ${STANDINGS} group by s.type, s.status`;
  return db.query<TypeCount>({ text: isTallied(db, undefined, sprint) ? tally : issues }, [
    workspace.id,
    project.id,
    ...also(sprint),
  ]);
}

export type Load = {
  assignee_id: string | null;
  assignee_name: string | null;
  assignee_kind: UserKind | null;
  open: number;
  in_progress: number;
  overdue: number;
  points: number;
  estimate_minutes: number;
  spent_minutes: number;
};

/**
 * Returns the open issues of each assignee and of nobody. The largest number comes first, unassigned issues last. An
 * issue with two assignees counts for both.
 */
export function openByAssignee(
  { db, workspace, project, principal, now }: InProject,
  { sprint, timezone }: ReportParams,
): Promise<Load[]> {
  const issues = `
    select a.id as assignee_id, count(*) as open,
      count(*) filter (where i.status in ('in_progress', 'in_review')) as in_progress,
      count(*) filter (where ends_at(i.due_at, i.due_on, (select known_zone($5))) <= $3) as overdue,
      coalesce(sum(i.story_points), 0) as points,
      coalesce(sum(i.estimate_minutes), 0) as estimate_minutes,
      coalesce(sum(i.spent_minutes), 0) as spent_minutes
    from ${ISSUES} left join unnest(i.assignee_ids) as a(id) on true
    where ${OPEN}${within(sprint, 6)} group by a.id`;
  const tally = `
    select l.assignee_id, sum(l.issues)::bigint as open,
      coalesce(sum(l.issues) filter (where l.in_progress), 0)::bigint as in_progress,
      coalesce(sum(l.issues) filter (where l.overdue_from <= $3), 0)::bigint as overdue,
      sum(l.points)::bigint as points, sum(l.estimate_minutes)::bigint as estimate_minutes,
      sum(l.spent_minutes)::bigint as spent_minutes
    from ${LOADS} where $5::text is not null group by l.assignee_id having sum(l.issues) > 0`;
  return db.query<Load>(
    {
      text: `
        with load as (${isTallied(db, timezone, sprint) ? tally : issues})
        select l.*, ${nameOrEmail(4)} as assignee_name, ${kindOf("u")} as assignee_kind
        from load l left join app_user u on u.id = l.assignee_id
        order by l.assignee_id is null, l.open desc, assignee_name, l.assignee_id`,
    },
    [workspace.id, project.id, now, seesEmails(principal), timezone, ...also(sprint)],
  );
}

/** Returns the number of open issues, each counted once. */
export async function countOpen({ db, workspace, project }: InProject, sprint: string | undefined): Promise<number> {
  const issues = `select count(*) as open from ${ISSUES} where ${OPEN}${within(sprint, 3)}`;
  const tally = `select coalesce(sum(s.issues), 0)::bigint as open from ${STANDINGS} where s.status in ${OPEN_STATUSES}`;
  const [row] = await db.query<{ open: number }>({ text: isTallied(db, undefined, sprint) ? tally : issues }, [
    workspace.id,
    project.id,
    ...also(sprint),
  ]);
  return row!.open;
}
