import { ConcurrentIndexes } from "./shared/concurrent-indexes.ts";

/** Each change of an issue writes to all indexes that have the issue, so those that say the same twice are one. */
export class FewerIssueIndexes extends ConcurrentIndexes {
  override up(): void {
    // Lists in the order of the board and progress read the same index. The included columns are those of progress; as
    // they are no keys, issues of a sprint are still in order.
    const INCLUDED = {
      sprint: "status, story_points, estimate_minutes, archived_at",
      milestone: "status, archived_at",
      release: "status, archived_at",
    };
    for (const [table, included] of Object.entries(INCLUDED)) {
      this.build(
        `issue_by_${table}`,
        `issue (${table}_id, rank, id) include (${included}) where ${table}_id is not null`,
        [`issue_progress_of_${table}`],
      );
    }
    // Reports about what was done in a time read nothing but this one.
    this.build(
      "issue_resolved",
      `issue (project_id, resolved_at) include (status, story_points, started_at, created_at)
       where resolved_at is not null and archived_at is null`,
    );
  }
}
