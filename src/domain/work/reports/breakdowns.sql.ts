import { nameOrEmail, seesEmails } from "../../access/identity/emails.ts";
import type { IssueType } from "../../access/identity/issue-row.ts";
import { kindOf, type UserKind } from "../../access/identity/kind.sql.ts";
import type { Category } from "../../kernel/categories.ts";
import type { InProject } from "../../kernel/context.ts";
import { ISSUES, LIVE } from "./live.ts";

/**
 * Counts for the breakdowns and the workload, of issues that are not archived, as they are now: of the whole project, or of
 * a sprint.
 */

/** The sprint's issues are found by its own index, and the project's by theirs, so the text differs. */
const within = (sprint: string | undefined, parameter: number) => (sprint ? ` and i.sprint_id = $${parameter}` : "");
const also = (sprint: string | undefined) => (sprint ? [sprint] : []);

const OPEN = `${LIVE} and i.status in ('backlog', 'todo', 'in_progress', 'in_review')`;

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
  return db.query<ColumnCount>(
    {
      text: `
        with counted as materialized (
          select i.status_id, count(*) as count, coalesce(sum(i.story_points), 0) as points,
                 (date_part('epoch', $3::timestamptz) - avg(date_part('epoch', i.created_at))) / 86400 as age
          from ${ISSUES} where ${LIVE}${within(sprint, 4)} group by i.status_id
        )
        select s.id as status_id, s.name as status_name, s.category, s.color, coalesce(count, 0) as count,
               coalesce(points, 0) as points, greatest(coalesce(round(age::numeric, 1), 0), 0) as avg_age_days
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
  return db.query<TypeCount>(
    {
      text: `
        select i.type, i.status, count(*) as count, coalesce(sum(i.story_points), 0) as points
        from ${ISSUES} where ${LIVE}${within(sprint, 3)} group by i.type, i.status`,
    },
    [workspace.id, project.id, ...also(sprint)],
  );
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
  sprint: string | undefined,
): Promise<Load[]> {
  return db.query<Load>(
    {
      text: `
        with load as (
          select a.id as assignee_id, count(*) as open,
            count(*) filter (where i.status in ('in_progress', 'in_review')) as in_progress,
            -- A date without a time is stored as its midnight, and lasts until the next one.
            count(*) filter (where i.due_at + case when i.due_at = date_trunc('day', i.due_at, 'UTC')
                                              then interval '24 hours' else interval '0' end <= $3) as overdue,
            coalesce(sum(i.story_points), 0) as points,
            coalesce(sum(i.estimate_minutes), 0) as estimate_minutes,
            coalesce(sum(i.spent_minutes), 0) as spent_minutes
          from ${ISSUES} left join unnest(i.assignee_ids) as a(id) on true
          where ${OPEN}${within(sprint, 5)} group by a.id
        )
        select l.*, ${nameOrEmail(4)} as assignee_name, ${kindOf("u")} as assignee_kind
        from load l left join app_user u on u.id = l.assignee_id
        order by l.assignee_id is null, l.open desc, assignee_name, l.assignee_id`,
    },
    [workspace.id, project.id, now, seesEmails(principal), ...also(sprint)],
  );
}

/** Returns the number of open issues, each counted once. */
export async function countOpen({ db, workspace, project }: InProject, sprint: string | undefined): Promise<number> {
  const [row] = await db.query<{ open: number }>(
    { text: `select count(*) as open from ${ISSUES} where ${OPEN}${within(sprint, 3)}` },
    [workspace.id, project.id, ...also(sprint)],
  );
  return row!.open;
}
