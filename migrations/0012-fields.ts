import { Migration } from "@mikro-orm/migrations";

/** Custom fields with their values, time spent, and commits that name issues. */
export class Fields extends Migration {
  override up(): void {
    this.addSql(`
      create table custom_field (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        project_id uuid not null references project,
        name text not null,
        kind text not null check (kind in
          ('text', 'number', 'select', 'multi_select', 'date', 'checkbox', 'url', 'user', 'project', 'doc')),
        options text[] not null default '{}',
        applies_to text[] not null default '{}',
        required boolean not null default false,
        description text,
        default_value jsonb,
        min double precision,
        max double precision,
        precision integer,
        rank text collate "C" not null,
        -- Every write of a value updates this count, so that no read counts.
        value_count integer not null default 0,
        -- Increases with each change, so that a new issue is not stored with values that were checked against an
        -- older definition.
        revision integer not null default 1,
        deleted_at timestamptz(3),
        created_by uuid not null references app_user,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      ) with (fillfactor = 50)`);
    this.addSql(`create index custom_field_list on custom_field (project_id, rank, id) where deleted_at is null`);
    this.addSql(
      `create unique index custom_field_name on custom_field (project_id, lower(name)) where deleted_at is null`,
    );
    // Whether new issues must check the fields at all is part of the cached project.
    this.addSql(
      `create constraint trigger access_version
       after insert or update of required, default_value, deleted_at or delete on custom_field
       deferrable initially deferred for each row execute function count_access_version()`,
    );

    // The values. issue.custom_fields is a copy for reading.
    this.addSql(`
      create table custom_field_value (
        field_id uuid not null references custom_field,
        issue_id uuid not null references issue,
        workspace_id uuid not null references workspace,
        value jsonb not null,
        updated_by uuid references app_user,
        updated_at timestamptz(3) not null,
        primary key (field_id, issue_id)
      )`);
    this.addSql(`create index custom_field_value_issue on custom_field_value (issue_id)`);

    this.addSql(`alter table issue add column remaining_minutes integer`);
    this.addSql(`alter table issue add column agent_minutes integer not null default 0`);
    this.addSql(`
      create table time_entry (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        project_id uuid not null references project,
        issue_id uuid not null references issue,
        author_id uuid not null references app_user,
        minutes integer not null check (minutes <> 0),
        note text,
        spent_on date not null,
        created_at timestamptz(3) not null
      )`);
    this.addSql(`create index time_entry_issue on time_entry (issue_id, id desc)`);

    // Commit hooks. The token is the address. The secret signs messages, so it is sealed instead of hashed.
    this.addSql(`
      create table commit_hook (
        workspace_id uuid primary key references workspace,
        token_hash bytea not null unique,
        secret_sealed text not null,
        created_by uuid not null references app_user,
        created_at timestamptz(3) not null,
        last_used_at timestamptz(3)
      )`);
    this.addSql(`
      create table commit_ref (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        project_id uuid not null references project,
        issue_id uuid not null references issue,
        provider text not null check (provider in ('github', 'gitlab', 'generic')),
        repo text not null,
        sha text not null,
        message text not null,
        url text not null,
        author text,
        committed_at timestamptz(3),
        branch text,
        pull_request_url text,
        created_at timestamptz(3) not null,
        unique (issue_id, sha)
      )`);
    this.addSql(`create index commit_ref_list on commit_ref (issue_id, id desc)`);
  }
}
