import { Migration } from "@mikro-orm/migrations";

/** Indexes of archived issues in the orders of lists, and of issues that are due. */
export class IssueOrders extends Migration {
  override up(): void {
    // Finds what is due before an instant. An issue without a date costs nothing here.
    this.addSql(`
      create index issue_due on issue (project_id, due_at) where archived_at is null and due_at is not null`);

    // Only archiving and restoring write these. The same expressions as in domain/work/issues/orders.ts.
    for (const [name, key] of [
      ["update", "updated_at"],
      ["due", "coalesce(due_at, 'infinity'::timestamptz)"],
      ["urgency", "array_position('{lowest,low,medium,high,highest,critical}'::text[], priority)"],
    ]) {
      this.addSql(`
        create index issue_archived_by_${name} on issue (project_id, ${key}, id) where archived_at is not null`);
    }
  }
}
