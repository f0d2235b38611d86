import { Migration } from "@mikro-orm/migrations";

/** How often a project's families have changed, for new issues that are about to join one. */
export class Families extends Migration {
  override up(): void {
    // Counted up when an issue gets another parent, or ceases to be an epic.
    this.addSql(`alter table issue_counter add column family_revision integer not null default 0`);
  }
}
