import { Migration } from "@mikro-orm/migrations";

/**
 * Burndown and the velocity of active sprints read sums instead of issues and their history. They are kept as the counts of
 * migration 0094 are: a step of an issue now says of which sprint, and when. Sprints that exist already are listed in
 * `sprint_to_count`, and a worker sums them up one after the other. Until then their reports read issues and history.
 */
const COUNTED = `
  project_id, status_id, status, type, story_points, estimate_minutes, spent_minutes, created_at, resolved_at, due_at,
  assignee_ids, sprint_id`;
const COLUMNS = COUNTED.split(",").map((column) => column.trim());
const of = (row: string) => COLUMNS.map((column) => `${row}.${column}`).join(", ");

const OPEN = `('backlog', 'todo', 'in_progress', 'in_review')`;
const WHICH = { scope: "true", completed: "status = 'done'", remaining: `status in ${OPEN}` };
const UNITS = { issues: "n", points: "n * coalesce(story_points, 0)", minutes: "n * coalesce(estimate_minutes, 0)" };
const FIGURES = Object.entries(WHICH).flatMap(([which, condition]) =>
  Object.entries(UNITS).map(([unit, amount]) => ({
    name: `${which}_${unit}`,
    sum: `coalesce(sum(${amount}) filter (where ${condition}), 0)`,
  })),
);
const NAMES = FIGURES.map(({ name }) => name);
const SUMS = FIGURES.map(({ sum }) => sum).join(", ");
const ADDED = NAMES.map((name) => `${name} = t.${name} + excluded.${name}`).join(", ");

const TOTALS = NAMES.map((name) => `sum(${name})`).join(", ");
const ZEROS = NAMES.map(() => "0").join(", ");

/** SQL: sums by sprint and by day, hour and moment. Changes that change no sum leave no row. */
const flowOf = (steps: string) => `
  select sprint_id, span, since, ${TOTALS}
  from (
    select sprint_id, at, ${FIGURES.map(({ name, sum }) => `${sum} as ${name}`).join(", ")}
    from ${steps} where sprint_id is not null
    group by sprint_id, at having (${SUMS}) <> (${ZEROS})) m,
    lateral (values
      ('day', date_trunc('day', at, 'UTC')), ('hour', date_trunc('hour', at, 'UTC')), ('moment', at)) w(span, since)
  group by sprint_id, span, since having (${TOTALS}) <> (${ZEROS})`;
/** @param commitments SQL: the present commitment of each sprint */
const standingOf = (steps: string, commitments: string) => `
  select s.sprint_id, ${SUMS}, coalesce(sum(n) filter (where c.found), 0)
  from ${steps} s
  join ${commitments} k on k.sprint_id = s.sprint_id
  left join lateral (
    select true as found from sprint_snapshot_issue c where c.snapshot_id = k.id and c.issue_id = s.issue_id
    -- Keeps the planner from reading the issues of all commitments.
    offset 0) c on true
  group by s.sprint_id`;

export class SumsBySprint extends Migration {
  override up(): void {
    // In the order in which writes lock both tables.
    this.addSql("lock table issue in share row exclusive mode");
    // Steps that are there already say nothing about sprints: these are summed up anyway.
    this.addSql(`
      alter table issue_step add column sprint_id uuid, add column issue_id uuid,
        -- When it changed.
        add column at timestamptz(3)`);
    this.addSql(`
      create or replace function step_issue() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' or old.archived_at is not null then
          insert into issue_step (n, ${COUNTED}, issue_id, at) values (1, ${of("new")}, new.id, new.updated_at);
        elsif new.archived_at is not null then
          insert into issue_step (n, ${COUNTED}, issue_id, at) values (-1, ${of("old")}, new.id, new.updated_at);
        else
          insert into issue_step (n, ${COUNTED}, issue_id, at)
          values (-1, ${of("old")}, new.id, new.updated_at), (1, ${of("new")}, new.id, new.updated_at);
        end if;
        return null;
      end $$`);
    this.addSql(`
      create or replace trigger issue_counts_change
      after update of archived_at, ${COUNTED} on issue
      for each row when (
        (old.archived_at is null) <> (new.archived_at is null)
        or new.archived_at is null and (${of("old")}) is distinct from (${of("new")}))
      execute function step_issue()`);

    // Sums of the sprint's live issues, as they are now.
    this.addSql(`
      create table sprint_standing (
        sprint_id uuid primary key,
        ${NAMES.map((name) => `${name} bigint not null`).join(", ")},
        -- Number of issues that its commitment has, too.
        committed_issues bigint not null
      ) with (fillfactor = 50)`);
    // What changed in these sums. A sprint starts and ends at any moment of a day, so days and hours would not do. Moments
    // are kept while such a moment may be among them (forget_moments).
    this.addSql(`
      create table sprint_flow (
        sprint_id uuid not null,
        -- day, hour or moment.
        span text not null,
        since timestamptz(3) not null,
        ${NAMES.map((name) => `${name} bigint not null`).join(", ")},
        primary key (sprint_id, span, since)
      ) with (fillfactor = 80)`);
    // Sprints whose sums are missing or wrong.
    this.addSql(`create table sprint_to_count (sprint_id uuid primary key)`);

    // The newest one counts; one that was cleared because the sprint was reopened does not.
    this.addSql(`
      create function commitment_of(sprint uuid) returns uuid language sql stable as $$
        select c.id from sprint_snapshot c join sprint p on p.id = c.sprint_id
        where c.sprint_id = sprint and c.kind = 'commitment' and p.committed_issues is not null
        order by c.taken_at desc, c.id desc limit 1
      $$`);

    // As before, and with sums by sprint.
    this.addSql(`
      create or replace function tally_issue_steps(project uuid, most integer) returns integer language sql as $$
        delete from issue_load where project_id = project and issues = 0;
        with step as materialized (
          delete from issue_step
          where ctid = any(array(select ctid from issue_step where project_id = project limit most
                                 for update skip locked))
          returning *
        ),
        standing as (
          insert into issue_standing as t (project_id, status_id, status, type, issues, points, created)
          select project, status_id, status, type, sum(n), coalesce(sum(n * story_points), 0),
                 sum(n * extract(epoch from created_at))
          from step group by status_id, status, type
          order by status_id, status, type
          on conflict (project_id, status_id, status, type) do update
          set issues = t.issues + excluded.issues, points = t.points + excluded.points,
              created = t.created + excluded.created
        ),
        flow as (
          insert into issue_flow as t (project_id, day, what, issues, points)
          select project, day, what, sum(n), coalesce(sum(n * story_points), 0)
          from step, lateral (values
            ((created_at at time zone 'UTC')::date, 'created'),
            ((resolved_at at time zone 'UTC')::date, status)) as f(day, what)
          where day is not null and what in ('created', 'done', 'failed', 'cancelled')
          group by day, what
          order by day, what
          on conflict (project_id, day, what) do update
          set issues = t.issues + excluded.issues, points = t.points + excluded.points
        ),
        of_sprints as (
          insert into sprint_standing as t (sprint_id, ${NAMES.join(", ")}, committed_issues)
          ${standingOf(
            "step",
            `(select sprint_id, commitment_of(sprint_id) as id
              from (select distinct sprint_id from step where sprint_id is not null) d)`,
          )}
          on conflict (sprint_id) do update
          set ${ADDED}, committed_issues = t.committed_issues + excluded.committed_issues
        ),
        flow_of_sprints as (
          insert into sprint_flow as t (sprint_id, span, since, ${NAMES.join(", ")})
          ${flowOf("step")}
          on conflict (sprint_id, span, since) do update set ${ADDED}
        ),
        passed as materialized (
          delete from issue_load
          where project_id = project and overdue_from > '-infinity' and overdue_from <= now() - interval '1 hour'
          returning *
        ),
        changed as (
          select a.id as assignee_id, status in ('in_progress', 'in_review') as in_progress,
            overdue_from(due_at) as overdue_from, n as issues, n * coalesce(story_points, 0) as points,
            n * coalesce(estimate_minutes, 0) as estimate_minutes, n * coalesce(spent_minutes, 0) as spent_minutes
          from step left join unnest(assignee_ids) as a(id) on true
          where status in ${OPEN}
          union all
          select assignee_id, in_progress, overdue_from, issues, points, estimate_minutes, spent_minutes from passed
        ),
        load as (
          insert into issue_load as t (project_id, assignee_id, in_progress, overdue_from, issues, points,
                                       estimate_minutes, spent_minutes)
          select project, assignee_id, in_progress,
            case when overdue_from <= now() - interval '1 hour' then '-infinity' else overdue_from end as since,
            sum(issues), sum(points), sum(estimate_minutes), sum(spent_minutes)
          from changed group by assignee_id, in_progress, since
          order by assignee_id, in_progress, since
          on conflict (project_id, assignee_id, in_progress, overdue_from) do update
          set issues = t.issues + excluded.issues, points = t.points + excluded.points,
              estimate_minutes = t.estimate_minutes + excluded.estimate_minutes,
              spent_minutes = t.spent_minutes + excluded.spent_minutes
        )
        select count(*)::integer from step
      $$`);

    // What a sprint's history says, as steps: each line has the issue's state after it, and ends that of the line before.
    this.addSql(`
      create function steps_of_sprint(sprint uuid)
      returns table (n integer, sprint_id uuid, status text, story_points integer, estimate_minutes integer,
                     at timestamptz(3))
      language sql stable as $$
        with line as (
          select a.*,
            -- Archiving and restoring alternate. Ids are created under the issue's lock, so they sort correctly; times
            -- may be earlier than the lock.
            sum(case a.kind when 'archived' then 1 when 'restored' then -1 else 0 end) over lines as archived,
            lead(a.created_at) over lines as next_at
          from (select distinct issue_id from activity where sprint_id = sprint) m, lateral (
            select issue_id, id, kind, created_at, sprint_id, status, story_points, estimate_minutes from activity
            where issue_id = m.issue_id and status is not null
            offset 0) a
          window lines as (partition by a.issue_id order by a.id)
        )
        select s.n, sprint, status, story_points, estimate_minutes, s.at
        from line, lateral (values (1, created_at), (-1, next_at)) s(n, at)
        where sprint_id = sprint and archived = 0 and s.at is not null
      $$`);

    // A sprint that has started ends now or later, so of its moments only the last ones, and those about its start and its
    // end, may divide an hour.
    this.addSql(`
      create function forget_moments(sprint uuid) returns void language sql as $$
        delete from sprint_flow f using sprint s
        where s.id = sprint and s.started_at is not null
          and f.sprint_id = s.id and f.span = 'moment' and f.since < now() - interval '2 days'
          and date_trunc('hour', f.since, 'UTC') <> date_trunc('hour', s.started_at, 'UTC')
          and (s.completed_at is null
               or date_trunc('hour', f.since, 'UTC') <> date_trunc('hour', s.completed_at, 'UTC'))
      $$`);

    // Sums up a listed sprint. Each sum reads issues or history, and the steps that are still to be added to it, in one
    // statement: so nobody waits and nothing is counted twice. The caller has the lock of the project's counts.
    this.addSql(`
      create function count_sprint(sprint uuid) returns boolean language plpgsql as $$
      declare
        project uuid;
      begin
        -- Who lists it again meanwhile waits.
        delete from sprint_to_count where sprint_id = sprint;
        if not found then
          return false;
        end if;
        select project_id into project from sprint s where s.id = sprint;
        delete from sprint_standing where sprint_id = sprint;
        delete from sprint_flow where sprint_id = sprint;
        insert into sprint_standing (sprint_id, ${NAMES.join(", ")}, committed_issues)
        ${standingOf(
          `(
          select 1 as n, i.sprint_id, i.id as issue_id, i.status, i.story_points, i.estimate_minutes from issue i
          where i.sprint_id = sprint and i.archived_at is null
          union all
          select -t.n, t.sprint_id, t.issue_id, t.status, t.story_points, t.estimate_minutes from issue_step t
          where t.project_id = project and t.sprint_id = sprint)`,
          "(select sprint as sprint_id, commitment_of(sprint) as id)",
        )};
        insert into sprint_flow (sprint_id, span, since, ${NAMES.join(", ")})
        ${flowOf(`(
          select * from steps_of_sprint(sprint)
          union all
          select -t.n, t.sprint_id, t.status, t.story_points, t.estimate_minutes, t.at from issue_step t
          where t.project_id = project and t.sprint_id = sprint) s`)};
        perform forget_moments(sprint);
        return true;
      end $$`);

    // Counts all issues again, and lists all sprints to be counted. The statement that reads issues also removes the steps
    // that they contain, so nobody waits. Each project is a transaction of its own: there may be more of them than Postgres
    // keeps locks for.
    this.addSql(`
      create or replace procedure tally_all_issues() language plpgsql as $$
      declare
        project uuid;
      begin
        for project in select id from project order by id loop
          perform pg_advisory_xact_lock(hashtextextended('tally ' || project, 0));
          delete from issue_standing where project_id = project;
          delete from issue_flow where project_id = project;
          delete from issue_load where project_id = project;
          insert into sprint_to_count select id from sprint where project_id = project
          on conflict (sprint_id) do update set sprint_id = excluded.sprint_id;
          with gone as (delete from issue_step where project_id = project)
          insert into issue_step (n, ${COLUMNS.filter((column) => column !== "sprint_id").join(", ")})
          select 1, ${COLUMNS.filter((column) => column !== "sprint_id").join(", ")} from issue
          where project_id = project and archived_at is null;
          perform tally_issue_steps(project, 2147483647);
          commit;
        end loop;
      end $$`);
    this.addSql(`insert into sprint_to_count select id from sprint`);
  }
}
