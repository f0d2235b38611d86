import { Migration } from "@mikro-orm/migrations";

/** Automations, their runs, and agents that they woke. */
export class Automations extends Migration {
  override up(): void {
    this.addSql(`
      create table automation (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        -- Null: all projects.
        project_id uuid references project,
        name text not null,
        description text,
        trigger text not null,
        trigger_config jsonb not null,
        conditions jsonb,
        actions jsonb not null,
        allow_chaining boolean not null,
        on_error text not null check (on_error in ('stop', 'continue')),
        enabled boolean not null,
        disabled_reason text check (disabled_reason in ('user', 'failing', 'loop', 'plan', 'rights')),
        -- The automation acts with the rights of this person or agent.
        created_by uuid not null references app_user,
        -- Automations with the trigger schedule: when they run next; while a worker starts the runs, the end of its lease.
        due_at timestamptz(3),
        deleted_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`
      create index automation_list on automation (workspace_id, created_at desc, id desc) where deleted_at is null`);
    this.addSql(`
      create index automation_listening on automation (workspace_id, trigger) where enabled and deleted_at is null`);
    this.addSql(`
      create index automation_due on automation (due_at) where due_at is not null and enabled and deleted_at is null`);

    this.addSql(`create index automation_deleted on automation (deleted_at) where deleted_at is not null`);

    // Grows with each change of the workspace's automations, so that workers know whether their copy is up to date.
    this.addSql(`
      create table automation_version (
        workspace_id uuid primary key references workspace,
        version bigint not null
      )`);

    // Counts of an automation. They are apart from it because runs change them often.
    this.addSql(`
      create table automation_tally (
        automation_id uuid primary key references automation,
        run_count integer not null default 0,
        failure_count integer not null default 0,
        -- Runs that ended with an error, since the last one that did not.
        failures_in_a_row integer not null default 0,
        last_run_at timestamptz(3),
        last_skipped_at timestamptz(3),
        last_skipped_reason text,
        -- Runs that started in this minute.
        minute timestamptz(3),
        runs_in_minute integer not null default 0,
        -- The last three times at which a run was stopped because of a loop, newest first.
        loops_at timestamptz(3)[] not null default '{}',
        -- The run that stands for everything that was refused in this minute, because there were too many runs.
        refused_run_id uuid,
        refused_minute timestamptz(3),
        refused_count integer not null default 0
      ) with (fillfactor = 80)`);

    // Runs of a workspace that started in this hour. Starting runs locks the row.
    this.addSql(`
      create table automation_hour (
        workspace_id uuid primary key references workspace,
        hour timestamptz(3) not null,
        runs integer not null
      ) with (fillfactor = 80)`);

    this.addSql(`
      create table automation_run (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        automation_id uuid not null references automation,
        -- The event that the automation reacts to. Runs of a schedule have an id made from the time.
        event_id uuid not null,
        issue_id uuid references issue,
        trigger text not null,
        -- The chain of causes: its first event, and the number of reactions from there to this run.
        root_event_id uuid not null,
        depth smallint not null,
        -- The automation as it was when the run started: its actions, on_error, name, and the person whose rights count.
        plan jsonb not null,
        -- The action that is next, and the number of its targets that are done.
        next_action smallint not null default 0,
        next_target smallint not null default 0,
        -- The issues on which the next action acts; null in the list stands for no issue. Null before it has begun.
        targets uuid[],
        actions_applied jsonb,
        -- Null until the run has ended.
        status text check (status in ('ok', 'partial', 'error')),
        reason text check (reason in ('loop_stopped', 'throttled', 'plan', 'rights')),
        detail text,
        -- Faults of the action that is next.
        attempts smallint not null default 0,
        -- When a worker may continue the run; while one does, the end of its lease. Null once the run has ended.
        due_at timestamptz(3),
        held_by uuid,
        started_at timestamptz(3) not null,
        finished_at timestamptz(3),
        created_at timestamptz(3) not null
      )`);
    this.addSql(`
      create unique index automation_run_cause on automation_run (automation_id, event_id, issue_id) nulls not distinct`);
    this.addSql(`
      create index automation_run_list on automation_run (automation_id, created_at desc, id desc)
      where status is not null`);
    this.addSql(`create index automation_run_chain on automation_run (root_event_id, automation_id)`);
    this.addSql(`create index automation_run_recent on automation_run (workspace_id, created_at)`);
    this.addSql(`create index automation_run_due on automation_run (due_at) where status is null`);

    // Runs of a workspace in a calendar month (UTC), so that nobody has to count them.
    this.addSql(`
      create table automation_month (
        workspace_id uuid not null references workspace,
        -- The first day of the month.
        month date not null,
        runs integer not null,
        primary key (workspace_id, month)
      ) with (fillfactor = 80)`);

    // Automations that run when issues are overdue or due soon. Times up to checked_until are done.
    this.addSql(`
      create table automation_watch (
        automation_id uuid primary key,
        workspace_id uuid not null,
        checked_until timestamptz(3) not null,
        -- When the due dates are checked next; while a worker does so, the end of its lease.
        next_at timestamptz(3) not null
      ) with (fillfactor = 80)`);
    this.addSql(`create index automation_watch_next on automation_watch (next_at)`);
    this.addSql(`
      create function watch_due_dates() returns trigger language plpgsql as $$
      begin
        if new.enabled and new.deleted_at is null and new.trigger in ('issue.overdue', 'issue.due_soon') then
          insert into automation_watch (automation_id, workspace_id, checked_until, next_at)
          values (new.id, new.workspace_id, now(), now())
          on conflict do nothing;
        else
          delete from automation_watch where automation_id = new.id;
        end if;
        return null;
      end $$`);
    this.addSql(`
      create trigger automation_watched after insert or update of enabled, deleted_at, trigger on automation
      for each row execute function watch_due_dates()`);

    // Agents that automations woke. What a woken agent does to the issue continues the chain of causes.
    this.addSql(`
      create table agent_wake (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        agent_id uuid not null references app_user,
        issue_id uuid references issue,
        automation_id uuid,
        workflow_run_id uuid,
        prompt text,
        root_event_id uuid not null,
        depth smallint not null,
        created_at timestamptz(3) not null
      )`);
    this.addSql(`create index agent_wake_recent on agent_wake (agent_id, created_at desc)`);

    // An address that actions send to is a webhook of its automation or workflow. Lists and limits leave it out.
    this.addSql(`alter table webhook add column owner_id uuid`);
    this.addSql(`
      create unique index webhook_owned on webhook (owner_id, md5(url))
      where owner_id is not null and deleted_at is null`);
  }
}
