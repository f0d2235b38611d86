import { Migration } from "@mikro-orm/migrations";

/** Processes remember the labels that issues show. A change of a label increases the access version of its workspace. */
export class VersionsOfLabels extends Migration {
  override up(): void {
    this.addSql(`
      create constraint trigger access_version
      after update of name, color, description, updated_at or delete on label
      deferrable initially deferred for each row execute function count_access_version()`);
  }
}
