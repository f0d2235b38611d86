import { Migration } from "@mikro-orm/migrations";

/** What an entry of the time log took from the remaining time, so that its correction gives back no more. */
export class LoweredMinutes extends Migration {
  override up(): void {
    this.addSql("alter table time_entry add column lowered_minutes integer not null default 0");
  }

  override down(): void {
    this.addSql("alter table time_entry drop column lowered_minutes");
  }
}
