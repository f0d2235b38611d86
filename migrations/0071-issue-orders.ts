import { Migration } from "@mikro-orm/migrations";

/** Indexes for the orders and filters of issue lists. */
export class IssueOrders extends Migration {
  override up(): void {
    // Finds what is due before an instant. An issue without a date costs nothing here.
    this.addSql(`
      create index issue_due on issue (project_id, due_at) where archived_at is null and due_at is not null`);

    // Values of custom fields, by the field and then as domain/work/fields/filter.sql.ts compares them. Texts may be longer
    // than an index allows.
    this.addSql(`
      create index custom_field_value_text on custom_field_value
        (field_id, (left(lower(value #>> '{}'), 100) collate "C"))`);
    this.addSql(`
      create index custom_field_value_number on custom_field_value (field_id, value)
        where jsonb_typeof(value) = 'number'`);
    this.addSql(`
      create index custom_field_value_options on custom_field_value using gin (field_id, value)
        where jsonb_typeof(value) = 'array'`);

    // Only archiving and restoring write these. The same expressions as in domain/work/issues/orders.ts.
    for (const [name, key] of [
      ["creation", "number"],
      ["update", "updated_at"],
      ["due", "coalesce(due_at, 'infinity'::timestamptz)"],
      ["urgency", "array_position('{lowest,low,medium,high,highest,critical}'::text[], priority)"],
    ]) {
      this.addSql(`
        create index issue_archived_by_${name} on issue (project_id, ${key}, id) where archived_at is not null`);
    }
  }
}
