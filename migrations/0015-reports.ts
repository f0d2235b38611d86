import { Migration } from "@mikro-orm/migrations";

/** Indexes for reports' counts, and for issues without sprint, milestone and so on. */
export class Reports extends Migration {
  override up(): void {
    // Issues by column, type and week of creation. New entries go to its end.
    this.addSql(`
      create index issue_report on issue (project_id, created_at)
      include (status_id, status, type, story_points) where archived_at is null`);
    this.addSql(`
      create index issue_resolved on issue (project_id, resolved_at)
      include (status, story_points) where resolved_at is not null and archived_at is null`);

    // Lists of what has no sprint, no assignee and so on, in the order of the board; see docs/issue-list-plans.md.
    for (const column of ["sprint", "milestone", "release", "parent", "epic"]) {
      this.addSql(`
        create index issue_without_${column} on issue (project_id, rank, id)
        where ${column}_id is null and archived_at is null`);
    }
    this.addSql(`
      create index issue_without_assignee on issue (project_id, rank, id)
      where assignee_ids = '{}' and archived_at is null`);
  }
}
