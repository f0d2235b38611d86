import { Migration } from "@mikro-orm/migrations";

/**
 * Rows of more than 2 kB are compressed by default, and moved to another table if that does not help. Events of issues are
 * that long, and compressing one costs Postgres as much as storing it. Up to 8 kB they stay in one piece.
 */
export class EventsInOnePiece extends Migration {
  override up(): void {
    this.addSql(`
      do $$ declare part regclass; begin
        for part in select inhrelid from pg_inherits where inhparent = 'event'::regclass loop
          execute format('alter table %s set (toast_tuple_target = 8160)', part);
        end loop;
      end $$`);
  }
}
