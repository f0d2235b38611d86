import { Migration } from "@mikro-orm/migrations";

/** Goals with their key results, and the portfolios that group goals and projects. */
export class Goals extends Migration {
  override up(): void {
    this.addSql(`
      create table portfolio (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        name text not null,
        description_md text,
        color text not null,
        lead_user_id uuid references app_user,
        deleted_at timestamptz(3),
        created_by uuid not null references app_user,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`
      create index portfolio_list on portfolio (workspace_id, created_at desc, id desc) where deleted_at is null`);

    this.addSql(`
      create table portfolio_project (
        portfolio_id uuid not null references portfolio,
        project_id uuid not null references project,
        workspace_id uuid not null references workspace,
        added_at timestamptz(3) not null,
        primary key (portfolio_id, project_id)
      )`);
    this.addSql(`create index portfolio_of_project on portfolio_project (project_id)`);
    this.addSql(`create index portfolio_project_of_workspace on portfolio_project (workspace_id)`);

    this.addSql(`
      create table goal (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        title text not null,
        description_md text,
        portfolio_id uuid references portfolio,
        parent_goal_id uuid references goal,
        owner_user_id uuid references app_user,
        cycle_start_at timestamptz(3),
        cycle_due_at timestamptz(3),
        weight numeric not null,
        progress_override numeric,
        status_override text,
        -- A fraction from 0 to 1 with 100 digits, so that rounding errors never show. null: nothing is measured.
        progress numeric,
        -- The status that was last announced. It also changes with time: status_due_at is when it has to be computed again.
        status text not null,
        status_due_at timestamptz(3),
        version integer not null default 1,
        deleted_at timestamptz(3),
        created_by uuid not null references app_user,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`create index goal_list on goal (workspace_id, created_at desc, id desc) where deleted_at is null`);
    this.addSql(`
      create index goal_of_company on goal (workspace_id, created_at desc, id desc)
      where deleted_at is null and portfolio_id is null`);
    this.addSql(`
      create index goal_of_portfolio on goal (portfolio_id, created_at desc, id desc)
      where deleted_at is null and portfolio_id is not null`);
    this.addSql(`
      create index goal_children on goal (parent_goal_id, created_at, id)
      where deleted_at is null and parent_goal_id is not null`);
    this.addSql(`create index goal_by_owner on goal (owner_user_id, workspace_id) where deleted_at is null`);
    this.addSql(`create index goal_status_due on goal (status_due_at) where status_due_at is not null`);

    this.addSql(`
      create table goal_watcher (
        goal_id uuid not null references goal,
        user_id uuid not null references app_user,
        workspace_id uuid not null references workspace,
        created_at timestamptz(3) not null,
        primary key (goal_id, user_id)
      )`);

    this.addSql(`create index goal_watcher_by_user on goal_watcher (user_id, workspace_id)`);

    this.addSql(`
      create table key_result (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        goal_id uuid not null references goal,
        title text not null,
        kind text not null check (kind in ('manual', 'auto')),
        unit text,
        start_value numeric,
        target_value numeric,
        current_value numeric,
        weight numeric not null,
        -- Which issues an automatic key result measures; null: all of them.
        scope jsonb,
        measure text not null check (measure in ('issues', 'points')),
        completed bigint,
        total bigint,
        -- As goal.progress.
        progress numeric,
        owner_user_id uuid references app_user,
        due_at timestamptz(3),
        updated_value_at timestamptz(3),
        deleted_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`create index key_result_list on key_result (goal_id, created_at, id) where deleted_at is null`);
    this.addSql(`
      create index key_result_automatic on key_result (workspace_id, id) where kind = 'auto' and deleted_at is null`);
    this.addSql(
      `create index key_result_by_owner on key_result (owner_user_id, workspace_id) where deleted_at is null`,
    );
  }
}
