import { Migration } from "@mikro-orm/migrations";

/** The number that src/domain/kernel/replies/parts.ts uses. */
const PARTS = 9;

/** Replies stored for repeats with the same Idempotency-Key, in tables that are emptied one after another. */
export class IdempotentReplies extends Migration {
  override up(): void {
    this.addSql(`
      create table idempotent_reply (
        created_at timestamptz(3) not null,
        -- The first half of the SHA-256 of API key, method, path and Idempotency-Key.
        call_id uuid not null,
        -- The same of the body.
        body_id uuid not null,
        -- An event with the content of the reply. Only the difference is stored here.
        event_id uuid,
        -- Four hours, in rotation: a table is emptied a day later, before it is used again.
        part smallint not null,
        status smallint not null,
        content bytea not null,
        primary key (call_id, part)
      ) partition by list (part)`);
    // It is compressed already.
    this.addSql(`alter table idempotent_reply alter column content set storage external`);
    for (let part = 0; part < PARTS; part++) {
      // Rows are only inserted, and removed all at once, so there is nothing to vacuum.
      this.addSql(`
        create table idempotent_reply_${part} partition of idempotent_reply for values in (${part})
        with (autovacuum_enabled = false)`);
    }

    // Processes of the previous version use only the table idempotency. While both versions run, a call that the new
    // one answered must not run again in the old one: the old one returns 429, and the client retries.
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
