import { Migration } from "@mikro-orm/migrations";

/** As many as src/domain/kernel/replies/parts.ts counts. */
const PARTS = 9;

/** Answers kept for calls that are repeated under their Idempotency-Key, in tables that are emptied in turn. */
export class IdempotentReplies extends Migration {
  override up(): void {
    this.addSql(`
      create table idempotent_reply (
        created_at timestamptz(3) not null,
        -- The first half of the SHA-256 of API key, method, path and Idempotency-Key.
        call_id uuid not null,
        -- The same of the body.
        body_id uuid not null,
        -- An event that holds what the reply shows: only the difference is kept here.
        event_id uuid,
        -- Four hours, counted around: their table is emptied a day later, before it is used again.
        part smallint not null,
        status smallint not null,
        content bytea not null,
        primary key (call_id, part)
      ) partition by list (part)`);
    // It is packed already.
    this.addSql(`alter table idempotent_reply alter column content set storage external`);
    for (let part = 0; part < PARTS; part++) {
      // Rows are only added, and leave all at once: there is nothing to vacuum.
      this.addSql(`
        create table idempotent_reply_${part} partition of idempotent_reply for values in (${part})
        with (autovacuum_enabled = false)`);
    }

    // Processes of the version before know the table idempotency alone. While both versions run, a call that was
    // answered by the new one must not run again in the old one: that answers 429, and the client comes again.
    this.addSql(`
      create function refuse_answered_call() returns trigger language plpgsql as $$
      declare
        hash bytea := sha256(convert_to(concat_ws(E'\\n', new.key_id, new.method, new.path, new.key), 'UTF8'));
      begin
        if not pg_try_advisory_xact_lock(('x' || encode(substr(hash, 1, 8), 'hex'))::bit(64)::bigint)
          or exists (select from idempotent_reply r
                     where r.call_id = encode(substr(hash, 1, 16), 'hex')::uuid
                       and r.created_at >= new.created_at - interval '24 hours')
        then
          raise exception 'answered by a newer version' using errcode = 'lock_not_available';
        end if;
        return new;
      end $$`);
    this.addSql(`
      create trigger idempotency_answered before insert on idempotency
      for each row execute function refuse_answered_call()`);
  }
}
