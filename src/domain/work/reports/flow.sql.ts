import { nameOrEmail, seesEmails } from "../../access/identity/emails.ts";
import type { InProject } from "../../kernel/context.ts";
import { ISSUES, LIVE } from "./live.ts";
import { FLOWS, isTallied } from "./tallies.sql.ts";
import type { DataOf } from "./views.ts";

/** Reads for cycle time and throughput: issues by creation and resolution time, as they are now. */

/** Done in a range: from $3 until $4, or without an end. */
const DONE = `
  ${LIVE} and i.status = 'done' and i.resolved_at >= $3 and ($4::timestamptz is null or i.resolved_at < $4)`;

/**
 * SQL: milliseconds, in whole numbers, which Postgres adds and sorts several times as fast as fractions of hours. Two
 * machines' clocks may differ a little, so negative times count as zero.
 */
const since = (column: string) => `(greatest(date_part('epoch', i.resolved_at - i.${column}), 0) * 1000)::bigint`;
const CYCLE = `case when i.started_at is not null then ${since("started_at")} end`;
const LEAD = since("created_at");
const HOUR = 3_600_000;
const inHours = (milliseconds: string) => `round((${milliseconds})::numeric / ${HOUR}, 2)`;

export type CycleTimes = {
  count: number;
  average_hours: number | null;
  average_lead_hours: number | null;
  /** p50, p75, p85, p95. */
  percentiles: (number | null)[];
  /** Number of cycle times below the first bound, between each two bounds, and above the last one. */
  counts: number[];
};

/** From when, and until before when; null for no end. */
export type Range = { since: string; until: string | null };

/** Returns figures about issues that were done in a range. `bounds` are in days. */
export async function cycleTimes(
  { db, workspace, project }: InProject,
  { since, until }: Range,
  bounds: readonly number[],
): Promise<CycleTimes> {
  const below = bounds.map((days) => `count(*) filter (where cycle < ${days * 24 * HOUR})`);
  const [row] = await db.query<Omit<CycleTimes, "counts"> & { below: number[] }>(
    {
      // All in one pass: storing the rows in between, or grouping them, costs as much as reading them.
      text: `
        select count, average_hours, average_lead_hours, below,
          (select array_agg(round(p::numeric, 2) order by ord)::float8[]
           from unnest(percentiles) with ordinality as t(p, ord)) as percentiles
        from (
          select count(*) as count, ${inHours("avg(cycle)")} as average_hours,
            ${inHours("avg(lead)")} as average_lead_hours, array[${below}, count(cycle)]::int[] as below,
            -- An array of percentiles needs only one sort.
            percentile_cont(array[0.5, 0.75, 0.85, 0.95])
              within group (order by cycle / ${HOUR}::float8) as percentiles
          from (
            select ${CYCLE} as cycle, ${LEAD} as lead from ${ISSUES} where ${DONE}
            -- Computes them once for each issue.
            offset 0) i) figures`,
    },
    [workspace.id, project.id, since, until],
  );
  const { below: sums, ...figures } = row!;
  return { ...figures, counts: sums.map((sum, n) => sum - (sums[n - 1] ?? 0)) };
}

/** Returns the issues of these figures, most recently done first. */
export function doneIssues(
  { db, workspace, project, principal }: InProject,
  { since, until }: Range,
  max: number,
): Promise<DataOf["cycle-time"]["issues"]> {
  return db.query(
    {
      text: `
        select i.key as issue_key, i.title, i.type, i.priority, i.assignee_ids[1] as assignee_id,
               i.assignee_ids as assignees, names.all as assignee_names, i.created_at, i.started_at, i.resolved_at, i.cycle_hours,
               i.lead_hours
        from (
          select i.*, ${inHours(CYCLE)} as cycle_hours, ${inHours(LEAD)} as lead_hours from ${ISSUES} where ${DONE}
          order by i.resolved_at desc, i.id desc limit $5) i,
          lateral (
            select coalesce(array_agg(coalesce(${nameOrEmail(6)}, '') order by a.ord), '{}') as all
            from unnest(i.assignee_ids) with ordinality as a(id, ord) left join app_user u on u.id = a.id) names
        order by i.resolved_at desc, i.id desc`,
    },
    [workspace.id, project.id, since, until, max, seesEmails(principal)],
  );
}

/** Numbers the periods of a report from 0. $3 has their first days. */
const period = (column: string) => `width_bucket(i.${column}, $3::timestamptz[]) - 1`;

export type PeriodOfCycles = {
  period: number;
  count: number;
  average_hours: number | null;
  average_lead_hours: number | null;
  p50: number | null;
  p85: number | null;
};

/** Returns figures about the issues that were done in each period. Periods without any are left out. */
export function cyclesByPeriod(
  { db, workspace, project }: InProject,
  starts: readonly string[],
  until: string,
): Promise<PeriodOfCycles[]> {
  const percentile = (share: number) =>
    `round(percentile_cont(${share}) within group (order by (${CYCLE}) / ${HOUR}::float8)::numeric, 2)::float8`;
  return db.query<PeriodOfCycles>(
    {
      text: `
        select ${period("resolved_at")} as period, count(*) as count, ${inHours(`avg(${CYCLE})`)}::float8 as average_hours,
               ${inHours(`avg(${LEAD})`)}::float8 as average_lead_hours, ${percentile(0.5)} as p50, ${percentile(0.85)} as p85
        from ${ISSUES}
        where ${LIVE} and i.status = 'done' and i.resolved_at >= ($3::timestamptz[])[1] and i.resolved_at < $4 group by 1`,
    },
    [workspace.id, project.id, starts, until],
  );
}

export type PeriodOfFlow = {
  period: number;
  created: number;
  done: number;
  failed: number;
  cancelled: number;
  done_points: number;
};

/** Returns the number of issues created and resolved in each period. Periods without any are left out. */
export function flowByPeriod(
  { db, workspace, project }: InProject,
  starts: readonly string[],
  until: string,
  timezone: string,
): Promise<PeriodOfFlow[]> {
  const within = (column: string) =>
    `${LIVE} and i.${column} >= ($3::timestamptz[])[1] and i.${column} < $4::timestamptz`;
  const issues = `
    with made as (
      select ${period("created_at")} as period, count(*) as created from ${ISSUES}
      where ${within("created_at")} group by 1
    ),
    ended as (
      select ${period("resolved_at")} as period,
        count(*) filter (where i.status = 'done') as done,
        count(*) filter (where i.status = 'failed') as failed,
        count(*) filter (where i.status = 'cancelled') as cancelled,
        coalesce(sum(i.story_points) filter (where i.status = 'done'), 0) as done_points
      from ${ISSUES} where ${within("resolved_at")} group by 1
    )
    select period, coalesce(created, 0) as created, coalesce(done, 0) as done, coalesce(failed, 0) as failed,
           coalesce(cancelled, 0) as cancelled, coalesce(done_points, 0) as done_points
    from made full join ended using (period)`;
  const sum = (column: string, what: string) =>
    `coalesce(sum(f.${column}) filter (where f.what = '${what}'), 0)::bigint`;
  const tally = `
    select width_bucket(f.day, $3::date[]) - 1 as period, ${sum("issues", "created")} as created,
           ${sum("issues", "done")} as done, ${sum("issues", "failed")} as failed,
           ${sum("issues", "cancelled")} as cancelled, ${sum("points", "done")} as done_points
    from ${FLOWS} group by 1`;
  return db.query<PeriodOfFlow>({ text: isTallied(db, timezone) ? tally : issues }, [
    workspace.id,
    project.id,
    starts,
    until,
  ]);
}
