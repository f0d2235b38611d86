import { Migration } from "@mikro-orm/migrations";

/** Look-ups of earlier sign-in requests: by address, to limit its mails, and by browser. */
export class SignIn extends Migration {
  override up(): void {
    this.addSql(`create index sign_in_of_address on sign_in (lower(email), created_at)`);
    this.addSql(`create index sign_in_of_browser on sign_in (browser_hash, created_at)`);
  }
}
