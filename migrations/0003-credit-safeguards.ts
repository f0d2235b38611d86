import { Migration } from "@mikro-orm/migrations";

/** The ledger's history cannot be edited; a card set up earlier does not replace a later one. */
export class CreditSafeguards extends Migration {
  override up(): void {
    this.addSql(`
      create function refuse_edited_credit_entry() returns trigger language plpgsql as $$
      begin
        raise exception 'credit_entry is append-only: correct it with another line' using errcode = 'restrict_violation';
      end $$`);
    this.addSql(`
      create trigger credit_entry_append_only before update or delete or truncate on credit_entry
      for each statement execute function refuse_edited_credit_entry()`);
    this.addSql(`alter table saved_card add column set_up_at timestamptz(3)`);
  }
}
