import { Migration } from "@mikro-orm/migrations";

/** The time zone in which pages show times to a person. Null: that of the workspace. */
export class TimeZonesOfPeople extends Migration {
  override up(): void {
    this.addSql(`alter table app_user add column timezone text`);
  }
}
