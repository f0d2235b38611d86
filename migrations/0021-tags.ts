import { Migration } from "@mikro-orm/migrations";

/** Look-ups for a pushed tag: releases by version, and the projects whose issues a repository mentions. */
export class Tags extends Migration {
  override up(): void {
    this.addSql(`create index release_version on release (workspace_id, version) where deleted_at is null`);
    this.addSql(`create index commit_ref_repo on commit_ref (workspace_id, repo, project_id)`);
  }
}
