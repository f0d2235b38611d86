import type { InProject } from "../../kernel/context.ts";
import { SPRINTS, type Sums } from "./sprints.sql.ts";
import { FIGURES, isTallied, SUMS_OF_SPRINT, SUMS_OF_STEP } from "./tallies.sql.ts";

/** Reads for burndown: a sprint, and how its sums changed, as they were kept (migration 0098) or from the issues' history. */

export type BurningSprint = {
  id: string;
  name: string;
  status: "planned" | "active" | "completed";
  start_at: string | null;
  start_on: string | null;
  end_at: string | null;
  end_on: string | null;
  started_at: string | null;
  completed_at: string | null;
};

/** Returns a sprint; without an id the active one, else the one that started last, else the one that is planned first. */
export async function sprintOf(
  { db, workspace, project }: InProject,
  id: string | null,
): Promise<BurningSprint | null> {
  const [row] = await db.query<BurningSprint>(
    {
      text: `
        select id, name, status, start_at, start_on, end_at, end_on, started_at, completed_at from sprint
        where ${SPRINTS} and ($3::uuid is null or id = $3)
        order by status = 'active' desc, coalesce(started_at, completed_at) desc nulls last, start_at desc nulls last,
                 id desc
        limit 1`,
    },
    [workspace.id, project.id, id],
  );
  return row ?? null;
}

/** The change of a sprint's sums on a day. `day` is null for all changes before the sprint began. */
export type DayOfChanges = { day: string | null } & Record<"scope" | "completed" | "remaining", Sums>;

/** From when changes count day by day, and before when they count. */
type Time = { began: string; until: string };

/**
 * Returns the changes of a sprint's sums, day by day. An issue is in the sprint while it is assigned to it and not
 * archived.
 */
export async function changesOfSprint(
  ctx: InProject,
  sprintId: string,
  time: Time,
  timezone: string,
): Promise<DayOfChanges[]> {
  const kept = isTallied(ctx.db, timezone) ? await keptChanges(ctx, sprintId, time) : [];
  return kept.length > 0 ? kept : changesInHistory(ctx, sprintId, time, timezone);
}

const NAMES = SUMS_OF_SPRINT.join(", ");
const ADDED = FIGURES.map(
  (which) =>
    `json_build_object('issues', sum(sign * ${which}_issues), 'points', sum(sign * ${which}_points),
                       'minutes', sum(sign * ${which}_minutes)) as ${which}`,
).join(", ");

/** SQL: kept sums of a time. */
const kept = (span: string, from: string, before: string) => `
  select since, ${NAMES} from mine, sprint_flow f
  where f.sprint_id = mine.id and f.span = '${span}' and f.since >= ${from} and f.since < ${before}`;

/**
 * Returns them from kept sums, and from the steps that are not in these yet; nothing if the sprint is not summed up. The
 * beginning and the end divide a day: of it, hours are read, and of the hour that they divide the moments.
 */
function keptChanges({ db, workspace, project }: InProject, sprintId: string, { began, until }: Time) {
  return db.query<DayOfChanges>(
    {
      name: "kept_burndown",
      text: `
        with mine as materialized (
          select s.id, began, until, date_trunc('day', began, 'UTC') as first_day,
            date_trunc('hour', began, 'UTC') as first_hour, date_trunc('day', until, 'UTC') as last_day,
            date_trunc('hour', until, 'UTC') as last_hour
          from sprint s, (select $4::timestamptz as began, $5::timestamptz as until) t
          where s.workspace_id = $1 and s.project_id = $2 and s.id = $3
            and not exists (select from sprint_to_count c where c.sprint_id = s.id)
        ),
        early as materialized (
          ${kept("hour", "first_day", "first_hour")}
          union all
          ${kept("moment", "first_hour", "least(first_hour + interval '1 hour', until)")} and f.since <= began
        ),
        late as materialized (
          ${kept("moment", "until", "last_hour + interval '1 hour'")}
          union all
          ${kept("hour", "last_hour + interval '1 hour'", "last_day + interval '24 hours'")}
        ),
        change as (
          -- Shows that the sprint is summed up, even if nothing has changed in it.
          select null::timestamptz as at, 1 as sign, ${SUMS_OF_SPRINT.map((name) => `0 as ${name}`).join(", ")} from mine
          union all
          select case when since >= first_day then since end, 1, ${NAMES} from mine, (
            select f.* from mine, sprint_flow f
            where f.sprint_id = mine.id and f.span = 'day' and f.since <= last_day) d
          union all
          select null, 1, ${NAMES} from early
          union all
          select first_day, -1, ${NAMES} from mine, early
          union all
          select last_day, -1, ${NAMES} from mine, late
          union all
          select case when at > began then at end, 1, ${NAMES} from mine, (
            select t.at, ${SUMS_OF_STEP} from issue_step t where t.project_id = $2 and t.sprint_id = $3) t
          where at < until
        )
        select (at at time zone 'UTC')::date::text as day, ${ADDED} from change group by 1 order by 1 nulls first`,
    },
    [workspace.id, project.id, sprintId, began, until],
  );
}

const sums = (which: string) =>
  `json_build_object('issues', sum(n * ${which}), 'points', sum(points * ${which}), 'minutes', sum(minutes * ${which}))`;

/**
 * Returns them from history. Each line of it contains the issue's state after it, so the difference from the previous
 * line is the change.
 */
function changesInHistory(
  { db, workspace }: InProject,
  sprintId: string,
  { began, until }: Time,
  timezone: string,
): Promise<DayOfChanges[]> {
  return db.query<DayOfChanges>(
    {
      text: `
        with member as materialized (
          select distinct issue_id from activity where workspace_id = $1 and sprint_id = $2
        ),
        line as (
          select a.*,
            -- Archiving and restoring alternate. Ids are created under the issue's lock, so they sort correctly; times
            -- may be earlier than the lock.
            sum(case a.kind when 'archived' then 1 when 'restored' then -1 else 0 end) over steps as archived
          from member, lateral (
            select issue_id, id, kind, created_at, sprint_id, status, story_points, estimate_minutes from activity
            where workspace_id = $1 and issue_id = member.issue_id and status is not null and created_at < $4
            -- Keeps the planner from reading the history of all issues.
            offset 0) a
          window steps as (partition by a.issue_id order by a.id)
        ),
        state as (
          select issue_id, id, created_at,
            (sprint_id is not distinct from $2 and archived = 0)::int as n,
            case when sprint_id = $2 and archived = 0 then coalesce(story_points, 0) else 0 end as points,
            case when sprint_id = $2 and archived = 0 then coalesce(estimate_minutes, 0) else 0 end as minutes,
            (status = 'done')::int as done,
            (status not in ('done', 'failed', 'cancelled'))::int as open
          from line
        ),
        step as (
          select case when created_at > $3 then (created_at at time zone (select known_zone($5)))::date end as day,
                 n, points, minutes, done, open, 1 as sign
          from state
          union all
          -- Subtracted again when the next line replaces it.
          select case when next_at > $3 then (next_at at time zone (select known_zone($5)))::date end, n, points, minutes, done, open, -1
          from (select *, lead(created_at) over (partition by issue_id order by id) as next_at from state) s
          where next_at is not null
        )
        select day::text, ${sums("sign")} as scope, ${sums("sign * done")} as completed,
               ${sums("sign * open")} as remaining
        from step group by day order by day nulls first`,
    },
    [workspace.id, sprintId, began, until, timezone],
  );
}
