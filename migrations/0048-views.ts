import { Migration } from "@mikro-orm/migrations";

/** Views of issues across projects, and indexes for their orders and filters. */
export class Views extends Migration {
  override up(): void {
    this.addSql(`
      create table workspace_view (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        name text not null,
        filter jsonb not null,
        is_shared boolean not null,
        layout text not null check (layout in ('board', 'backlog', 'list', 'calendar', 'timeline')),
        group_by text check (group_by in ('status', 'assignee', 'priority', 'label', 'sprint', 'type', 'epic')),
        columns text[] not null,
        created_by uuid not null references app_user,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`
      create index workspace_view_shared on workspace_view (workspace_id, created_at desc, id desc) where is_shared`);
    this.addSql(`
      create index workspace_view_own on workspace_view (workspace_id, created_by, created_at desc, id desc)
      where not is_shared`);

    // Each expression is that of its order in domain/knowledge/views/orders.ts. issue_report lists by creation.
    this.addSql(`create index issue_by_update on issue (project_id, updated_at, id) where archived_at is null`);
    this.addSql(`
      create index issue_by_due on issue (project_id, coalesce(due_at, 'infinity'::timestamptz), id)
      where archived_at is null`);
    this.addSql(`
      create index issue_by_urgency on issue (
        project_id, array_position('{lowest,low,medium,high,highest,critical}'::text[], priority), id)
      where archived_at is null`);
    // Finds the few issues that match several filters, each of which many issues match.
    this.addSql(`
      create index issue_by_facets on issue (project_id, status, priority, type) where archived_at is null`);
  }
}
