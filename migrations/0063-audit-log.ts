import { Migration } from "@mikro-orm/migrations";

/** Who changed what in a workspace's administration, with which credential, from where. */
export class AuditLog extends Migration {
  override up(): void {
    // Without foreign keys, so that entries outlive what they are about. A UUIDv7 begins with its time: the id orders the
    // entries and chooses the monthly partition, and the clean-up drops whole partitions.
    this.addSql(`
      create table audit_entry (
        id uuid not null,
        workspace_id uuid not null,
        type text not null,
        actor_id uuid,
        actor_kind text not null,
        actor_name text,
        key_id uuid,
        ip text,
        user_agent text,
        target_type text not null,
        target_id text,
        target_name text,
        project_id uuid,
        changes jsonb not null,
        cause jsonb not null,
        primary key (workspace_id, id)
      ) partition by range (id)`);
    this.addSql(`create table audit_entry_rest partition of audit_entry default`);
    this.addSql(`create index audit_entry_type on audit_entry (workspace_id, type, id)`);
    this.addSql(`create index audit_entry_actor on audit_entry (workspace_id, actor_id, id)`);
    this.addSql(`create index audit_entry_key on audit_entry (workspace_id, key_id, id) where key_id is not null`);

    // Entries are never changed or deleted one by one, not even by the service itself.
    this.addSql(`
      create function refuse_audit_change() returns trigger language plpgsql as $$
      begin
        raise exception 'The audit log is append-only: % is not possible.', tg_op;
      end $$`);
    this.addSql(`
      create trigger append_only before update or delete on audit_entry
      for each row execute function refuse_audit_change()`);
    this.addSql(`
      create trigger never_emptied before truncate on audit_entry
      for each statement execute function refuse_audit_change()`);
  }
}
