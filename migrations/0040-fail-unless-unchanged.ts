import { Migration } from "@mikro-orm/migrations";

/** A statement that has checked what it depends on fails by this function, and undoes all that it wrote. */
export class FailUnlessUnchanged extends Migration {
  override up(): void {
    this.addSql(`
      create function fail_unless_unchanged(is_unchanged boolean) returns void language plpgsql as $$
      begin
        if is_unchanged is not true then
          raise exception 'what this statement depends on has changed since it was read' using errcode = 'MU001';
        end if;
      end $$`);
  }
}
