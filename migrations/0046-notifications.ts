import { Migration } from "@mikro-orm/migrations";

/** Notifications of people and agents. */
export class Notifications extends Migration {
  override up(): void {
    // No foreign keys: thousands of rows are inserted in one statement, and each key would lock the rows that it names.
    // What a notification is about is checked whenever the notification is read.
    this.addSql(`
      create table notification (
        -- Ids sort by the time at which the notification was written.
        id uuid primary key,
        workspace_id uuid not null,
        user_id uuid not null,
        -- The event, or a hash of an issue and its due date.
        cause_id uuid not null,
        kind text not null,
        title text not null,
        body text not null,
        actor_id uuid,
        actor_name text,
        -- What it is about. The reader sees the notification only while they see all of these.
        issue_id uuid,
        doc_id uuid,
        comment_id uuid,
        goal_id uuid,
        channel_id uuid,
        message_id uuid,
        session_id uuid,
        -- Only readers who are owners or admins see it.
        admins_only boolean not null default false,
        read_at timestamptz(3),
        created_at timestamptz(3) not null
      ) with (fillfactor = 90)`);
    this.addSql(`create unique index notification_cause on notification (cause_id, user_id)`);
    this.addSql(`create index notification_list on notification (user_id, workspace_id, id desc)`);
    this.addSql(`
      create index notification_unread on notification (user_id, workspace_id, id desc) where read_at is null`);
    this.addSql(`create index notification_read on notification (read_at) where read_at is not null`);
  }
}
