import { Migration } from "@mikro-orm/migrations";

/** Replays: messages of a webhook that are queued again, in pieces. */
export class WebhookReplays extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook_replay (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        webhook_id uuid not null,
        -- Which messages: those of events from since until until, whose newest attempt has one of these states.
        since timestamptz(3) not null,
        until timestamptz(3) not null,
        states text[] not null,
        -- Null: all.
        event_types text[],
        -- The attempt that was looked at last.
        message uuid not null,
        attempt integer not null,
        queued integer not null default 0,
        -- Null: it has ended.
        due_at timestamptz(3),
        held_by uuid,
        created_by uuid not null,
        created_at timestamptz(3) not null
      )`);
    this.addSql(`create index webhook_replay_due on webhook_replay (due_at) where due_at is not null`);
    this.addSql(`create index webhook_replay_open on webhook_replay (webhook_id) where due_at is not null`);
    this.addSql(`create index webhook_replay_age on webhook_replay (created_at)`);

    // Replayed messages take turns with new ones.
    this.addSql(`alter table webhook_delivery add column replayed boolean not null default false`);
    this.addSql(`
      create index webhook_delivery_replayed on webhook_delivery (webhook_id, sequence nulls first)
      where state = 'pending' and replayed`);
  }
}
