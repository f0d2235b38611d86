import { Migration } from "@mikro-orm/migrations";

/** Each change of an issue writes to all indexes that have the issue, so those that say the same twice are one. */
export class FewerIssueIndexes extends Migration {
  override up(): void {
    // Lists in the order of the board and progress read the same index. The included columns are those of progress; as
    // they are no keys, issues of a sprint are still in order.
    const INCLUDED = {
      sprint: "status, story_points, estimate_minutes, archived_at",
      milestone: "status, archived_at",
      release: "status, archived_at",
    };
    for (const [table, included] of Object.entries(INCLUDED)) {
      this.addSql(`drop index if exists issue_progress_of_${table}`);
      this.addSql(`drop index issue_by_${table}`);
      this.addSql(`
        create index issue_by_${table} on issue (${table}_id, rank, id) include (${included})
        where ${table}_id is not null`);
    }
  }
}
