import { Migration } from "@mikro-orm/migrations";

/** What reports count, in indexes that hold just that; see docs/decisions.md. */
export class Reports extends Migration {
  override up(): void {
    // Issues by column, by type and by the week they were made in. New ones go to its end.
    this.addSql(`
      create index issue_report on issue (project_id, created_at)
      include (status_id, status, type, story_points) where archived_at is null`);
    this.addSql(`
      create index issue_resolved on issue (project_id, resolved_at)
      include (status, story_points) where resolved_at is not null and archived_at is null`);
  }
}
