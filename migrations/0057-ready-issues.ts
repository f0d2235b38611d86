import { Migration } from "@mikro-orm/migrations";

/** Ready issues, and claims of them. */
export class ReadyIssues extends Migration {
  override up(): void {
    // The condition is that of COULD_START in domain/work/issues/ready.sql.ts, for issues that are assigned to nobody.
    this.addSql(`
      create index issue_ready on issue (project_id, rank, id)
      where archived_at is null and status in ('backlog', 'todo', 'in_progress') and open_blocker_count = 0
        and active_session_ids = '{}' and assignee_ids = '{}'`);
    // One open session at a time claims an issue.
    this.addSql(`
      create unique index agent_session_claim on agent_session (issue_id)
      where claim and issue_id is not null and ended_at is null`);
  }
}
