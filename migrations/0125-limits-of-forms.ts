import { Migration } from "@mikro-orm/migrations";

/** Forms keep the limits of the credential that last defined them. Without a key, that was a person in a browser. */
export class LimitsOfForms extends Migration {
  override up(): void {
    this.addSql(`
      alter table form add column key_id uuid, add column key_scopes text[],
        add check ((key_id is null) = (key_scopes is null))`);
  }
}
