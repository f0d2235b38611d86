import { Migration } from "@mikro-orm/migrations";

/** People stop watching issues, watch docs, and mute channels. */
export class WatchingAndMuting extends Migration {
  override up(): void {
    // Somebody who stopped watching an issue hears of it only what names them, until they are mentioned or assigned.
    this.addSql(`
      create table issue_unwatched (
        issue_id uuid not null references issue on delete cascade,
        user_id uuid not null references app_user,
        workspace_id uuid not null references workspace,
        created_at timestamptz(3) not null,
        primary key (issue_id, user_id)
      )`);
    this.addSql(`create index issue_unwatched_user on issue_unwatched (user_id, workspace_id)`);
    // Whoever stopped keeps their row, so that a comment of theirs does not start it again.
    this.addSql(`
      create table doc_watcher (
        doc_id uuid not null references doc on delete cascade,
        user_id uuid not null references app_user,
        workspace_id uuid not null references workspace,
        created_at timestamptz(3) not null,
        stopped_at timestamptz(3),
        primary key (doc_id, user_id)
      )`);
    this.addSql(`create index doc_watcher_user on doc_watcher (user_id, workspace_id)`);
    this.addSql(`alter table chat_member add column muted_at timestamptz(3)`);
  }
}
