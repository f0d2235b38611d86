import { Migration } from "@mikro-orm/migrations";

/** Docs with their versions and comments, and events that only one person may see. */
export class Docs extends Migration {
  override up(): void {
    // Events about a private object name the person who sees it. `truncated`: long texts were cut before storing.
    this.addSql(`alter table event add column person_id uuid, add column truncated boolean not null default false`);

    this.addSql(`
      create table doc (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        -- null: a doc of the workspace.
        project_id uuid references project,
        -- A link counts only while parent_branch is the parent's branch. A doc that moves to another project gets a new
        -- branch, so its children stay behind without being written.
        parent_id uuid references doc,
        parent_branch uuid,
        branch uuid not null,
        title text not null,
        icon text,
        body_md text,
        -- The text of any JSON, as it was sent: jsonb would reject NUL, and reading it would round numbers.
        body_json text,
        visibility text not null check (visibility in ('workspace', 'private')),
        -- The only person who sees the doc while it is private.
        owner_id uuid not null references app_user,
        position integer not null default 0,
        word_count integer not null,
        version integer not null default 1,
        archived_at timestamptz(3),
        created_by uuid not null references app_user,
        updated_by uuid not null references app_user,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        check ((parent_id is null) = (parent_branch is null))
      )`);
    this.addSql(`
      create index doc_list on doc (workspace_id, created_at desc, id desc)
      where visibility = 'workspace' and archived_at is null`);
    this.addSql(`
      create index doc_archived on doc (workspace_id, created_at desc, id desc)
      where visibility = 'workspace' and archived_at is not null`);
    this.addSql(`
      create index doc_private on doc (workspace_id, owner_id, created_at desc, id desc) where visibility = 'private'`);
    this.addSql(
      `create index doc_of_project on doc (project_id, created_at desc, id desc) where project_id is not null`,
    );
    this.addSql(`create index doc_children on doc (parent_id, created_at desc, id desc) where parent_id is not null`);

    this.addSql(`
      create table doc_version (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        doc_id uuid not null references doc,
        number integer not null,
        title text not null,
        body_md text,
        body_json text,
        -- In characters, as the API counts them. Lists show it without reading the text.
        body_md_length integer not null,
        reason text not null check (reason in ('edit', 'restore', 'import')),
        -- Written while the doc was private: only the doc's owner sees it.
        private boolean not null,
        -- The doc's project then: only people who see that project see the version.
        project_id uuid references project,
        -- Later edits never overwrite it.
        kept boolean not null,
        -- When its first edit was made. Edits of the same author within five minutes of it overwrite it.
        begun_at timestamptz(3) not null,
        created_by uuid not null references app_user,
        created_at timestamptz(3) not null
      )`);
    this.addSql(`create unique index doc_version_list on doc_version (doc_id, number desc)`);

    this.addSql(`
      create table doc_comment (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        doc_id uuid not null references doc,
        author_id uuid not null references app_user,
        parent_id uuid references doc_comment,
        body_md text not null,
        body_html text not null,
        mentions jsonb not null default '[]',
        quote text,
        reply_count integer not null default 0,
        resolved_at timestamptz(3),
        edited_at timestamptz(3),
        deleted_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`create index doc_comment_list on doc_comment (doc_id, created_at, id)`);
  }
}
