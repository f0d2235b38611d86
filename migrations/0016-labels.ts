import { Migration } from "@mikro-orm/migrations";

/** Labels that are deleted while they are being added to an issue. */
export class Labels extends Migration {
  override up(): void {
    // As for sprints: either the deletion waits and finds the issue, or the change is run again and finds no label.
    this.addSql(`
      create function refuse_deleted_labels() returns trigger language plpgsql as $$
      declare
        added uuid[] := new.label_ids;
        held integer;
      begin
        if tg_op = 'UPDATE' then
          added := array(select unnest(new.label_ids) except select unnest(old.label_ids));
        end if;
        perform 1 from label where id = any(added) order by id for key share;
        get diagnostics held = row_count;
        if held < cardinality(added) then
          raise serialization_failure using message = 'a label was deleted meanwhile';
        end if;
        return null;
      end $$`);
    this.addSql(`
      create trigger issue_labels after insert or update of label_ids on issue
      for each row when (new.label_ids <> '{}') execute function refuse_deleted_labels()`);
  }
}
