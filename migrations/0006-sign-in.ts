import { Migration } from "@mikro-orm/migrations";

/** Looks that signing in takes at earlier wishes: of an address, to limit mail to it, and of a browser. */
export class SignIn extends Migration {
  override up(): void {
    this.addSql(`create index sign_in_of_address on sign_in (lower(email), created_at)`);
    this.addSql(`create index sign_in_of_browser on sign_in (browser_hash, created_at)`);
  }
}
