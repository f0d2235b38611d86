import { Migration } from "@mikro-orm/migrations";

/** How often a project's hierarchy has changed, for new issues that are about to join one. */
export class Families extends Migration {
  override up(): void {
    // Increases when an issue gets another parent or stops being an epic.
    this.addSql(`alter table issue_counter add column family_revision integer not null default 0`);
  }
}
