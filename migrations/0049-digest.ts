import { Migration } from "@mikro-orm/migrations";

/** Mails with the unread notifications of a person. */
export class Digest extends Migration {
  override up(): void {
    // A person who gets no digests has no row.
    this.addSql(`
      create table digest_setting (
        user_id uuid primary key references app_user,
        frequency text not null check (frequency in ('hourly', 'daily')),
        -- Older notifications are not mailed.
        since timestamptz(3) not null,
        -- The next digest has the notifications up to this time.
        slot_at timestamptz(3) not null,
        -- When the next digest is written; while a worker writes it, the end of its lease.
        due_at timestamptz(3),
        held_by uuid
      )`);
    this.addSql(`create index digest_setting_due on digest_setting (due_at) where due_at is not null`);

    this.addSql(`
      create table digest_sent (
        user_id uuid not null references app_user,
        workspace_id uuid not null references workspace,
        -- Notifications with lower ids are not mailed any more.
        until_id uuid not null,
        primary key (user_id, workspace_id)
      )`);

    // Links that end the digests of a person, one for each mail.
    this.addSql(`
      create table digest_link (
        token_hash bytea primary key,
        user_id uuid not null references app_user,
        created_at timestamptz(3) not null
      )`);
    this.addSql(`create index digest_link_age on digest_link (created_at)`);
  }
}
