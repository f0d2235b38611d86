import { Migration } from "@mikro-orm/migrations";

/** Workspaces, people, keys, projects, issues, comments, events, webhooks, credits. */
export class Foundation extends Migration {
  override up(): void {
    this.addSql(`create extension if not exists btree_gin`);

    this.addSql(`
      create table workspace (
        id uuid primary key,
        slug text not null unique,
        name text not null,
        plan text not null check (plan in ('free', 'pro', 'business')),
        default_locale text not null default 'en',
        timezone text not null default 'UTC',
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);

    // People are shared by all workspaces they belong to; an agent belongs to one.
    this.addSql(`
      create table app_user (
        id uuid primary key,
        kind text not null check (kind in ('person', 'agent')),
        email text,
        name text,
        avatar_url text,
        agent_workspace_id uuid references workspace,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        check ((kind = 'agent') = (agent_workspace_id is not null))
      )`);
    this.addSql(`create unique index app_user_email on app_user (lower(email)) where email is not null`);
    this.addSql(`create index app_user_agents on app_user (agent_workspace_id) where kind = 'agent'`);

    this.addSql(`
      create table member (
        workspace_id uuid not null references workspace,
        user_id uuid not null references app_user,
        role text not null check (role in ('owner', 'admin', 'member', 'viewer', 'guest')),
        status text not null default 'active' check (status in ('active', 'suspended')),
        joined_at timestamptz(3) not null,
        last_active_at timestamptz(3),
        primary key (workspace_id, user_id)
      )`);
    this.addSql(`create index member_user on member (user_id)`);

    this.addSql(`
      create table api_key (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        user_id uuid not null references app_user,
        kind text not null check (kind in ('workspace', 'agent', 'personal', 'oauth')),
        name text not null,
        hash bytea not null unique,
        prefix text not null,
        last_four text not null,
        scopes text[] not null,
        project_ids uuid[],
        rate_limit_per_minute integer,
        expires_at timestamptz(3),
        last_used_at timestamptz(3),
        last_used_ip text,
        revoked_at timestamptz(3),
        revoke_reason text,
        created_by uuid not null references app_user,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`create index api_key_list on api_key (workspace_id, created_at desc, id desc)`);
    this.addSql(`create index api_key_user on api_key (user_id)`);

    this.addSql(`
      create table project (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        key text not null,
        slug text not null,
        name text not null,
        description_md text,
        lead_user_id uuid references app_user,
        scoped boolean not null default false,
        estimation_unit text not null default 'time' check (estimation_unit in ('time', 'points', 'none')),
        icon text,
        color text,
        start_at timestamptz(3),
        target_at timestamptz(3),
        default_status_id uuid,
        default_assignee_id uuid references app_user,
        transition_rules jsonb,
        wip_mode text not null default 'off' check (wip_mode in ('off', 'warn', 'enforce')),
        enforce_blockers boolean not null default false,
        auto_start boolean not null default false,
        archived_at timestamptz(3),
        created_by uuid not null references app_user,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        unique (workspace_id, key),
        unique (workspace_id, slug)
      )`);
    this.addSql(`create index project_list on project (workspace_id, lower(name) collate "C", id)`);

    this.addSql(`
      create table project_member (
        project_id uuid not null references project,
        user_id uuid not null references app_user,
        workspace_id uuid not null references workspace,
        role text not null check (role in ('admin', 'member', 'viewer')),
        added_by uuid references app_user,
        added_at timestamptz(3) not null,
        primary key (project_id, user_id)
      )`);
    this.addSql(`create index project_member_user on project_member (user_id, workspace_id)`);

    this.addSql(`
      create table board_status (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        project_id uuid not null references project,
        name text not null,
        color text not null,
        category text not null
          check (category in ('backlog', 'todo', 'in_progress', 'in_review', 'done', 'failed', 'cancelled')),
        rank text collate "C" not null,
        wip_limit integer,
        description text,
        -- Number of live issues in the column. Every write updates it, so that no read counts.
        issue_count integer not null default 0,
        deleted_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      ) with (fillfactor = 50)`);
    this.addSql(`create index board_status_board on board_status (project_id, rank, id) where deleted_at is null`);
    this.addSql(
      `create unique index board_status_name on board_status (project_id, lower(name)) where deleted_at is null`,
    );
    addAccessVersions((sql) => this.addSql(sql));

    // The last issue number of each project. Its row lock keeps KEY-N without gaps and duplicates. A separate row
    // keeps that lock and its updates off the project row.
    this.addSql(`
      create table issue_counter (
        project_id uuid primary key references project,
        last_number integer not null default 0
      ) with (fillfactor = 10)`);

    this.addSql(`
      create table label (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        project_id uuid not null references project,
        name text not null,
        color text not null,
        description text,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`create unique index label_name on label (project_id, lower(name))`);

    for (const [table, columns] of [
      ["milestone", `due_at timestamptz(3), completed_at timestamptz(3), start_at timestamptz(3), description_md text`],
      ["sprint", `goal text, start_at timestamptz(3), end_at timestamptz(3)`],
      ["release", `version text, description_md text, target_date timestamptz(3), released_at timestamptz(3)`],
    ] as const) {
      this.addSql(`
        create table ${table} (
          id uuid primary key,
          workspace_id uuid not null references workspace,
          project_id uuid not null references project,
          name text not null,
          status text not null default 'planned',
          rank text collate "C" not null,
          ${columns},
          deleted_at timestamptz(3),
          created_by uuid references app_user,
          created_at timestamptz(3) not null,
          updated_at timestamptz(3) not null
        )`);
      this.addSql(`create index ${table}_list on ${table} (project_id, rank, id) where deleted_at is null`);
    }
    this.addSql(
      `create unique index sprint_active on sprint (project_id) where status = 'active' and deleted_at is null`,
    );

    // A new issue's rank: last in its project. Ranks are decimal fractional-index keys. Whole numbers are written as
    // a letter for the number of digits, and the digits: 7 → a7, 42 → b42.
    this.addSql(`
      create function rank_of(number bigint) returns text language sql immutable strict parallel safe
      return chr(96 + length(number::text)) || number::text`);

    this.addSql(`
      create table issue (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        project_id uuid not null references project,
        number integer not null,
        key text not null,
        type text not null check (type in ('epic', 'story', 'task', 'bug', 'subtask')),
        title text not null,
        description_md text,
        status text not null
          check (status in ('backlog', 'todo', 'in_progress', 'in_review', 'done', 'failed', 'cancelled')),
        status_id uuid references board_status,
        priority text not null check (priority in ('lowest', 'low', 'medium', 'high', 'highest', 'critical')),
        rank text collate "C" not null,
        assignee_ids uuid[] not null default '{}',
        reporter_id uuid not null references app_user,
        parent_id uuid references issue,
        -- Numbers never change, so the keys of parent and epic need no join.
        parent_number integer,
        epic_id uuid references issue,
        epic_number integer,
        milestone_id uuid references milestone,
        sprint_id uuid references sprint,
        release_id uuid references release,
        label_ids uuid[] not null default '{}',
        estimate_minutes integer,
        story_points integer,
        spent_minutes integer,
        completion_pct integer,
        start_at timestamptz(3),
        due_at timestamptz(3),
        started_at timestamptz(3),
        resolved_at timestamptz(3),
        archived_at timestamptz(3),
        archived_reason text,
        custom_fields jsonb not null default '{}',
        active_session_ids uuid[] not null default '{}',
        active_workflow_run_id uuid,
        child_count integer not null default 0,
        child_done_count integer not null default 0,
        comment_count integer not null default 0,
        attachment_count integer not null default 0,
        link_count integer not null default 0,
        watcher_count integer not null default 0,
        open_blocker_count integer not null default 0,
        external_source text,
        external_id text,
        version integer not null default 1,
        created_by uuid not null references app_user,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        search tsvector not null generated always as (
          setweight(to_tsvector('simple', key), 'B') ||
          setweight(to_tsvector('simple', title), 'A') ||
          setweight(to_tsvector('simple', left(coalesce(description_md, ''), 65536)), 'C')) stored,
        unique (project_id, number)
      ) with (fillfactor = 85)`);
    // The board's order, alone and after each equality filter; see docs/issue-list-plans.md.
    this.addSql(`create index issue_board on issue (project_id, rank, id) where archived_at is null`);
    this.addSql(`create index issue_archived on issue (project_id, rank, id) where archived_at is not null`);
    this.addSql(`create index issue_by_status on issue (project_id, status, rank, id) where archived_at is null`);
    this.addSql(`create index issue_by_column on issue (status_id) where archived_at is null`);
    this.addSql(`create index issue_by_priority on issue (project_id, priority, rank, id) where archived_at is null`);
    this.addSql(`create index issue_by_type on issue (project_id, type, rank, id) where archived_at is null`);
    this.addSql(
      `create index issue_by_reporter on issue (project_id, reporter_id, rank, id) where archived_at is null`,
    );
    for (const column of ["sprint_id", "milestone_id", "release_id", "parent_id", "epic_id"]) {
      this.addSql(
        `create index issue_by_${column.replace("_id", "")} on issue (${column}, rank, id) where ${column} is not null`,
      );
    }
    this.addSql(
      `create index issue_by_assignee on issue using gin (project_id, assignee_ids) where archived_at is null`,
    );
    this.addSql(`create index issue_by_label on issue using gin (project_id, label_ids) where archived_at is null`);
    this.addSql(`create index issue_search on issue using gin (project_id, search) where archived_at is null`);
    this.addSql(`
      create unique index issue_external on issue (project_id, external_source, external_id)
      where external_id is not null`);

    this.addSql(`
      create table watcher (
        issue_id uuid not null references issue,
        user_id uuid not null references app_user,
        workspace_id uuid not null references workspace,
        created_at timestamptz(3) not null,
        primary key (issue_id, user_id)
      )`);

    this.addSql(`
      create table comment (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        project_id uuid not null references project,
        issue_id uuid not null references issue,
        author_id uuid not null references app_user,
        parent_id uuid references comment,
        session_id uuid,
        body_md text not null,
        body_html text not null,
        mentions jsonb not null default '[]',
        external_id text,
        reply_count integer not null default 0,
        edited_at timestamptz(3),
        deleted_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`create index comment_list on comment (issue_id, created_at, id)`);
    this.addSql(`
      create unique index comment_external on comment (issue_id, author_id, external_id)
      where external_id is not null`);

    // History of issues, kept forever (events are dropped by age). One row per changed field.
    this.addSql(`
      create table activity (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        project_id uuid not null,
        issue_id uuid not null,
        kind text not null,
        actor_id uuid,
        actor_kind text not null,
        actor_name text,
        payload jsonb not null,
        created_at timestamptz(3) not null
      )`);
    this.addSql(`create index activity_issue on activity (issue_id, id desc)`);
    this.addSql(`create index activity_project on activity (project_id, kind, created_at)`);

    // Events, with the view that REST returned. Rows never change. Monthly partitions are dropped by age. A UUIDv7
    // begins with its time, so the id alone determines the partition.
    this.addSql(`
      create table event (
        id uuid not null,
        workspace_id uuid not null,
        type text not null,
        project_id uuid,
        issue_id uuid,
        actor_id uuid,
        actor_kind text not null,
        actor_name text,
        cause jsonb not null,
        data jsonb not null,
        previous jsonb,
        changed text[],
        context jsonb,
        created_at timestamptz(3) not null,
        primary key (id)
      ) partition by range (id)`);
    this.addSql(`create table event_rest partition of event default`);
    this.addSql(`create index event_workspace on event (workspace_id, id)`);

    // Events that no relay has taken yet.
    this.addSql(`
      create table outbox (
        event_id uuid primary key,
        workspace_id uuid not null,
        type text not null
      ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`);

    // Pending jobs of an event: written by the relay, deleted by the worker that did the job. Jobs that Redis loses
    // are found here.
    this.addSql(`
      create table reaction (
        event_id uuid not null,
        queue text not null,
        workspace_id uuid not null,
        due_at timestamptz(3) not null,
        failed_at timestamptz(3),
        primary key (event_id, queue)
      ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`);
    this.addSql(`create index reaction_due on reaction (due_at) where failed_at is null`);

    this.addSql(`
      create table idempotency (
        key_id uuid not null,
        method text not null,
        path text not null,
        key text not null,
        body_hash bytea not null,
        status integer,
        reply text,
        created_at timestamptz(3) not null,
        primary key (key_id, method, path, key)
      )`);
    this.addSql(`create index idempotency_age on idempotency (created_at)`);

    this.addSql(`
      create table webhook (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        url text not null,
        event_types text[] not null,
        description text,
        project_ids uuid[],
        headers jsonb not null default '{}',
        secret_sealed text not null,
        secret_prefix text not null,
        secret_rotated_at timestamptz(3),
        previous_secret_sealed text,
        previous_secret_expires_at timestamptz(3),
        disabled_at timestamptz(3),
        disabled_reason text check (disabled_reason in ('user', 'gone', 'failing')),
        -- Set by re-enabling: only one delivery goes out until one has succeeded.
        probing boolean not null default false,
        consecutive_failures integer not null default 0,
        failing_since timestamptz(3),
        failing_notified_at timestamptz(3),
        last_success_at timestamptz(3),
        last_delivery_at timestamptz(3),
        last_delivery_status integer,
        deleted_at timestamptz(3),
        created_by uuid not null references app_user,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      ) with (fillfactor = 50)`);
    this.addSql(
      `create index webhook_list on webhook (workspace_id, created_at desc, id desc) where deleted_at is null`,
    );

    // One row per attempt. The newest row of a message is the current one. delivery_id is the event's id.
    this.addSql(`
      create table webhook_delivery (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        webhook_id uuid not null references webhook,
        delivery_id uuid not null,
        event_type text not null,
        attempt integer not null,
        state text not null
          check (state in ('pending', 'delivering', 'retrying', 'succeeded', 'failed', 'skipped')),
        status integer not null default 0,
        latency_ms integer not null default 0,
        error text not null default '',
        final boolean not null default false,
        due_at timestamptz(3),
        lease_until timestamptz(3),
        request_headers jsonb,
        response_body text,
        created_at timestamptz(3) not null,
        unique (webhook_id, delivery_id, attempt)
      ) with (fillfactor = 70)`);
    this.addSql(`create index webhook_delivery_list on webhook_delivery (webhook_id, id desc)`);
    this.addSql(
      `create index webhook_delivery_due on webhook_delivery (webhook_id, due_at) where state in ('pending', 'retrying')`,
    );
    this.addSql(
      `create index webhook_delivery_leased on webhook_delivery (webhook_id, lease_until) where state = 'delivering'`,
    );
    this.addSql(`create index webhook_delivery_age on webhook_delivery (workspace_id, created_at)`);

    this.addSql(`
      create table credit_account (
        workspace_id uuid primary key references workspace,
        topup_balance integer not null default 0,
        updated_at timestamptz(3) not null
      )`);
    // Append-only. The sum of a workspace's top-up entries is its top-up balance, at every commit.
    this.addSql(`
      create table credit_entry (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        kind text not null check (kind in ('included', 'purchase', 'spend', 'adjust', 'refund')),
        bucket text not null check (bucket in ('included', 'topup')),
        amount integer not null check (amount <> 0),
        balance_after integer not null,
        reason text,
        created_by uuid references app_user,
        created_at timestamptz(3) not null
      )`);
    this.addSql(`create index credit_entry_list on credit_entry (workspace_id, id desc)`);
  }
}

/**
 * Processes cache permissions and use one number to check whether they are still valid: the workspace's access
 * version. It increases in the transaction of any change to the workspace's keys, members, projects, columns or name.
 */
function addAccessVersions(addSql: (sql: string) => void): void {
  addSql(`
    create table access_version (
      workspace_id uuid primary key references workspace,
      version bigint not null default 1
    ) with (fillfactor = 50)`);
  addSql(`
    create function start_access_version() returns trigger language plpgsql as $$
    begin
      insert into access_version (workspace_id) values (new.id);
      return null;
    end $$`);
  addSql(
    `create trigger access_version_start after insert on workspace for each row execute function start_access_version()`,
  );

  addSql(`
    create function count_access_version() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'workspace' then
        update access_version set version = version + 1 where workspace_id = new.id;
      elsif tg_table_name = 'app_user' then
        update access_version set version = version + 1
        where workspace_id in (select workspace_id from member where user_id = new.id);
      else
        update access_version set version = version + 1
        where workspace_id = (case when tg_op = 'DELETE' then old.workspace_id else new.workspace_id end);
      end if;
      return null;
    end $$`);
  // Increased at commit, so that this shared row is the last lock taken and held only briefly. New keys and projects
  // are not cached yet, and uses of a key or counts of a column change no permissions.
  for (const [table, changes] of [
    ["workspace", "update"],
    ["app_user", "update of name, email"],
    ["member", "update of role, status or delete"],
    ["api_key", "update of name, scopes, project_ids, rate_limit_per_minute, expires_at, revoked_at or delete"],
    ["project", "update or delete"],
    ["project_member", "insert or update or delete"],
    ["board_status", "update of name, category, deleted_at or delete"],
  ]) {
    addSql(
      `create constraint trigger access_version after ${changes} on ${table}
       deferrable initially deferred for each row execute function count_access_version()`,
    );
  }
}
