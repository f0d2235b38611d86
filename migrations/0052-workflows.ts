import { Migration } from "@mikro-orm/migrations";

/** Workflows, the versions of their graphs, and runs with their stages. */
export class Workflows extends Migration {
  override up(): void {
    this.addSql(`
      create table workflow (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        -- Null: all projects.
        project_id uuid references project,
        name text not null,
        description text,
        status text not null check (status in ('draft', 'enabled')),
        disabled_reason text check (disabled_reason in ('plan')),
        -- The newest version of the graph.
        version integer not null,
        -- What kept the workflow from being enabled when it was last changed. At most 100 entries.
        problems jsonb not null default '[]',
        created_by uuid not null references app_user,
        deleted_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`
      create index workflow_list on workflow (workspace_id, created_at desc, id desc) where deleted_at is null`);

    // Versions never change, so runs and workers may keep them.
    this.addSql(`
      create table workflow_version (
        workflow_id uuid not null references workflow,
        version integer not null,
        nodes jsonb not null,
        edges jsonb not null,
        created_by uuid not null references app_user,
        created_at timestamptz(3) not null,
        primary key (workflow_id, version)
      )`);

    this.addSql(`
      create table workflow_run (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        workflow_id uuid not null references workflow,
        version integer not null,
        project_id uuid not null references project,
        issue_id uuid not null references issue,
        status text not null check (status in ('running', 'completed', 'failed', 'cancelled')),
        context text not null,
        note_md text,
        started_by uuid not null references app_user,
        -- The automation that started the run.
        automation_id uuid,
        -- The chain of causes: its first event, if there is one, and the number of reactions from there to this run.
        root_event_id uuid,
        depth smallint not null,
        current_summary text,
        waiting boolean not null,
        error text,
        started_at timestamptz(3) not null,
        ended_at timestamptz(3),
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`create unique index workflow_run_open on workflow_run (issue_id) where status = 'running'`);
    this.addSql(`create index workflow_run_running on workflow_run (workspace_id) where status = 'running'`);
    this.addSql(`create index workflow_run_list on workflow_run (workflow_id, started_at desc, id desc)`);
    this.addSql(`create index workflow_run_in_flight on workflow_run (workflow_id) where status = 'running'`);

    this.addSql(`
      create table workflow_stage (
        run_id uuid not null references workflow_run,
        node_id text not null,
        workspace_id uuid not null,
        state text not null
          check (state in ('pending', 'active', 'waiting', 'done', 'failed', 'skipped', 'cancelled')),
        outcome text,
        branch_taken text,
        -- Who works on the stage, and whether the stage made them an assignee of the issue.
        assignee_user_id uuid,
        assigned boolean not null default false,
        session_id uuid,
        approvals jsonb not null default '[]',
        note_md text,
        output text,
        -- Stages with actions: the action that is next, the number of its targets that are done, and what the others did.
        next_action smallint not null default 0,
        next_target smallint not null default 0,
        -- The issues that the next action acts on; null until it has begun.
        targets jsonb,
        actions_applied jsonb,
        -- How often somebody or something has begun to work on the stage.
        attempts smallint not null default 0,
        -- Faults of the action that is next.
        faults smallint not null default 0,
        -- When a timer ends, or a worker may continue the actions.
        due_at timestamptz(3),
        -- The event that the stage waits for.
        awaits text,
        activated_at timestamptz(3),
        ended_at timestamptz(3),
        completed_by uuid,
        error text,
        primary key (run_id, node_id)
      )`);
    this.addSql(`create index workflow_stage_due on workflow_stage (due_at) where state = 'active'`);
    this.addSql(`
      create index workflow_stage_awaiting on workflow_stage (workspace_id, awaits)
      where state = 'active' and awaits is not null`);
    this.addSql(`create index workflow_stage_session on workflow_stage (session_id) where session_id is not null`);
  }
}
