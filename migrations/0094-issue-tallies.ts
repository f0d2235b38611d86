import { Migration } from "@mikro-orm/migrations";

/**
 * Reports read counts instead of issues. A change of an issue that matters to them appends what it was and what it is to
 * `issue_step`, in the same transaction and without waiting for anybody. A worker adds these rows to the counts. So the
 * counts together with the steps are exact at any time.
 *
 * Issues are never deleted, and archived ones do not count. Those that are there already are counted by migration 0099.
 */
const COUNTED = `
  project_id, status_id, status, type, story_points, estimate_minutes, spent_minutes, created_at, resolved_at, due_at,
  assignee_ids`;
const COLUMNS = COUNTED.split(",").map((column) => column.trim());
const of = (row: string) => COLUMNS.map((column) => `${row}.${column}`).join(", ");

export class IssueTallies extends Migration {
  override up(): void {
    // No foreign keys and one index: each change of an issue writes here. Rows stay for seconds.
    this.addSql(`
      create table issue_step (
        -- 1 for what an issue is, -1 for what it was.
        n smallint not null,
        project_id uuid not null,
        -- Null if there is no such column any more.
        status_id uuid,
        status text not null,
        type text not null,
        story_points integer,
        estimate_minutes integer,
        spent_minutes integer,
        created_at timestamptz(3) not null,
        resolved_at timestamptz(3),
        due_at timestamptz(3),
        assignee_ids uuid[] not null
      ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
              autovacuum_vacuum_insert_threshold = -1)`);
    this.addSql(`create index issue_step_project on issue_step (project_id)`);

    this.addSql(`
      create table issue_standing (
        project_id uuid not null references project,
        status_id uuid,
        status text not null,
        type text not null,
        issues bigint not null,
        points bigint not null,
        -- Sum of the seconds of their creation.
        created numeric not null,
        unique nulls not distinct (project_id, status_id, status, type)
      ) with (fillfactor = 50)`);
    this.addSql(`
      create table issue_flow (
        project_id uuid not null references project,
        -- In UTC.
        day date not null,
        -- created, done, failed or cancelled.
        what text not null,
        issues bigint not null,
        points bigint not null,
        primary key (project_id, day, what)
      ) with (fillfactor = 50)`);
    // Of open issues.
    this.addSql(`
      create table issue_load (
        project_id uuid not null references project,
        -- Null for nobody. An issue with two assignees counts for both.
        assignee_id uuid,
        in_progress boolean not null,
        -- From when they are overdue: -infinity if they have been for some time, infinity without a date.
        overdue_from timestamptz(3) not null,
        issues bigint not null,
        points bigint not null,
        estimate_minutes bigint not null,
        spent_minutes bigint not null,
        unique nulls not distinct (project_id, assignee_id, in_progress, overdue_from)
      ) with (fillfactor = 50)`);

    this.addSql(`
      create function step_issue() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          insert into issue_step (n, ${COUNTED}) values (1, ${of("new")});
        elsif old.archived_at is not null then
          insert into issue_step (n, ${COUNTED}) values (1, ${of("new")});
        elsif new.archived_at is not null then
          insert into issue_step (n, ${COUNTED}) values (-1, ${of("old")});
        else
          insert into issue_step (n, ${COUNTED}) values (-1, ${of("old")}), (1, ${of("new")});
        end if;
        return null;
      end $$`);

    // A date without a time is stored as its midnight, and lasts until the next one.
    this.addSql(`
      create function overdue_from(due_at timestamptz) returns timestamptz(3) language sql immutable parallel safe
      return case when due_at is null then 'infinity'::timestamptz
                  when due_at = date_trunc('day', due_at, 'UTC') then due_at + interval '24 hours'
                  else due_at end`);

    // Adds steps of a project to the counts, at most as many as asked for, and returns how many there were. What has been
    // overdue for an hour shares a row, so that there are rows of the future only; the hour is for clocks that differ.
    this.addSql(`
      create function tally_issue_steps(project uuid, most integer) returns integer language sql as $$
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
          where status in ('backlog', 'todo', 'in_progress', 'in_review')
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

    // Counts all issues again. Changes of issues wait meanwhile, up to a minute for a million.
    this.addSql(`
      create procedure tally_all_issues() language plpgsql as $$
      declare
        project uuid;
      begin
        lock table issue in share row exclusive mode;
        delete from issue_step;
        delete from issue_standing;
        delete from issue_flow;
        delete from issue_load;
        insert into issue_step (n, ${COUNTED}) select 1, ${COUNTED} from issue where archived_at is null;
        for project in select distinct project_id from issue_step loop
          perform tally_issue_steps(project, 2147483647);
        end loop;
      end $$`);

    this.addSql(`
      create trigger issue_counted after insert on issue
      for each row when (new.archived_at is null) execute function step_issue()`);
    this.addSql(`
      create trigger issue_counts_change
      after update of archived_at, ${COUNTED} on issue
      for each row when (
        (old.archived_at is null) <> (new.archived_at is null)
        or new.archived_at is null and (${of("old")}) is distinct from (${of("new")}))
      execute function step_issue()`);
  }
}
