import { Migration } from "@mikro-orm/migrations";

/** Counts of issues for automatic key results, by project, and the projects that have to be counted again. */
export class KeyResultCounts extends Migration {
  override up(): void {
    // Projects of its scope that were not counted yet. Until it is empty, the key result shows no counts.
    this.addSql(`alter table key_result add column uncounted uuid[] not null default '{}'`);

    // Projects without counted issues have no row.
    this.addSql(`
      create table key_result_count (
        key_result_id uuid not null references key_result,
        project_id uuid not null references project,
        workspace_id uuid not null references workspace,
        completed bigint not null,
        total bigint not null,
        primary key (key_result_id, project_id)
      )`);
    this.addSql(`create index key_result_count_of_project on key_result_count (project_id)`);

    this.addSql(`
      create table key_result_recount (
        project_id uuid primary key references project,
        workspace_id uuid not null references workspace,
        -- Grows with every request, so that a request that comes while a worker counts is not lost.
        requests bigint not null default 1,
        -- When the project has to be counted; while a worker counts, the end of its lease. null: nothing has changed.
        due_at timestamptz(3),
        -- The worker process that counts.
        claimed_by uuid,
        -- From a request to the count. Longer for projects that take long to count.
        delay_ms integer not null default 500
      )`);
    this.addSql(`create index key_result_recount_due on key_result_recount (due_at) where due_at is not null`);
  }
}
