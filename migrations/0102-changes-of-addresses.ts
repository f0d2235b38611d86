import { Migration } from "@mikro-orm/migrations";

/**
 * A request with a person is no sign-in: its code proves that the person reads the mails of a new address. It is a row of
 * the same table, so that the limits on mails and codes count both.
 */
export class ChangesOfAddresses extends Migration {
  override up(): void {
    this.addSql(`alter table sign_in add column user_id uuid references app_user`);
    this.addSql(`create index sign_in_of_user on sign_in (user_id, created_at) where user_id is not null`);
  }
}
