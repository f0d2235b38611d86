import { Migration } from "@mikro-orm/migrations";

/** Links between issues, saved views, and the order in which people of a project are listed. */
export class Relations extends Migration {
  override up(): void {
    // Stored once, from source to target. Issues never change their project, so it is stored here too: closing an
    // issue needs the locks of the boards of all issues that it blocks, before it takes any lock.
    this.addSql(`
      create table issue_link (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        kind text not null check (kind in ('relates_to', 'blocks', 'duplicates')),
        source_id uuid not null references issue,
        source_project_id uuid not null references project,
        target_id uuid not null references issue,
        target_project_id uuid not null references project,
        created_by uuid not null references app_user,
        created_at timestamptz(3) not null,
        check (source_id <> target_id)
      )`);
    this.addSql(`create unique index issue_link_once on issue_link (source_id, kind, target_id)`);
    // A relation is symmetric.
    this.addSql(`
      create unique index issue_link_related on issue_link (least(source_id, target_id), greatest(source_id, target_id))
      where kind = 'relates_to'`);
    this.addSql(`create index issue_link_target on issue_link (target_id)`);
    this.addSql(`
      create index issue_link_boards on issue_link (source_project_id, target_project_id)
      where kind = 'blocks' and source_project_id <> target_project_id`);

    this.addSql(`
      create table saved_view (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        project_id uuid not null references project,
        name text not null,
        -- Not jsonb, which would change the order.
        filter json not null,
        is_shared boolean not null,
        layout text not null check (layout in ('board', 'backlog', 'list', 'calendar', 'timeline')),
        group_by text check (group_by in ('status', 'assignee', 'priority', 'label', 'sprint', 'type', 'epic')),
        columns text[] not null,
        created_by uuid not null references app_user,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`create index saved_view_shared on saved_view (project_id) where is_shared`);
    this.addSql(`create index saved_view_own on saved_view (project_id, created_by) where not is_shared`);

    this.addSql(`create index project_member_list on project_member (project_id, added_at desc, user_id desc)`);
  }
}
