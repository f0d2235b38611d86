import type { Db } from "../../kernel/ports/ports.ts";
import { shows } from "../../kernel/present.sql.ts";

/**
 * Counts of a project's live issues, exact at any time: what `tally.sql.ts` has counted, and the changes since then. A
 * statement that uses one of these has the workspace as $1 and the project as $2.
 *
 * Issues that change in the background are not counted as they will be, so then the reports count issues.
 */

/** Whether the counts of a whole project may be read. Those by day are by days of UTC. */
export const isTallied = (db: Db, timezone = "UTC", sprint?: string): boolean =>
  sprint === undefined && timezone === "UTC" && !shows(db).changes;

export const OPEN_STATUSES = "('backlog', 'todo', 'in_progress', 'in_review')";

const mine = (columns: string, table: string) =>
  `select ${columns} from project p join ${table} t on t.project_id = p.id where p.workspace_id = $1 and p.id = $2`;

/** `s`: issues by column, status and type, with the sum of the seconds of their creation. */
export const STANDINGS = `(
  ${mine("t.status_id, t.status, t.type, t.issues, t.points, t.created", "issue_standing")}
  union all
  ${mine(
    `t.status_id, t.status, t.type, t.n, t.n * coalesce(t.story_points, 0), t.n * extract(epoch from t.created_at)`,
    "issue_step",
  )}) s`;

/** `l`: open issues by assignee, by whether they are in progress, and by the time from which they are overdue. */
export const LOADS = `(
  ${mine(
    "t.assignee_id, t.in_progress, t.overdue_from, t.issues, t.points, t.estimate_minutes, t.spent_minutes",
    "issue_load",
  )}
  union all
  select a.id, o.status in ('in_progress', 'in_review'), overdue_from(o.due_at), o.n, o.n * coalesce(o.story_points, 0),
         o.n * coalesce(o.estimate_minutes, 0), o.n * coalesce(o.spent_minutes, 0)
  from (${mine("t.*", "issue_step")} and t.status in ${OPEN_STATUSES}) o left join unnest(o.assignee_ids) as a(id) on true
  ) l`;

/** `f`: issues by the day in UTC on which they were created, or resolved; from the first day of $3 until before $4. */
export const FLOWS = `(
  ${mine("t.day, t.what, t.issues, t.points", "issue_flow")} and t.day >= ($3::date[])[1] and t.day < $4::date
  union all
  select * from (
    ${mine("(t.created_at at time zone 'UTC')::date as day, 'created' as what, t.n as issues, 0 as points", "issue_step")}
    union all
    ${mine("(t.resolved_at at time zone 'UTC')::date, t.status, t.n, t.n * coalesce(t.story_points, 0)", "issue_step")}
  ) s where day >= ($3::date[])[1] and day < $4::date) f`;

const WHICH = {
  scope: "true",
  completed: "t.status = 'done'",
  remaining: `t.status in ${OPEN_STATUSES}`,
};
const AMOUNTS = {
  issues: "t.n",
  points: "t.n * coalesce(t.story_points, 0)",
  minutes: "t.n * coalesce(t.estimate_minutes, 0)",
};

export const FIGURES = ["scope", "completed", "remaining"] as const;
const UNITS = ["issues", "points", "minutes"] as const;

/** SQL: the columns of a sprint's kept sums, and the same of the step `t`. */
export const SUMS_OF_SPRINT = FIGURES.flatMap((which) => UNITS.map((unit) => `${which}_${unit}`));
export const SUMS_OF_STEP = FIGURES.flatMap((which) =>
  UNITS.map((unit) => `case when ${WHICH[which]} then ${AMOUNTS[unit]} else 0 end as ${which}_${unit}`),
).join(", ");
