import { Migration } from "@mikro-orm/migrations";

/**
 * Issues in board order, by which custom fields they have a value of. Most issues have values of the same fields, so those
 * without a value of one are in few parts of the index.
 */
export class FieldsOfIssues extends Migration {
  override up(): void {
    this.addSql(`
      create index issue_by_fields on issue
        (project_id, jsonb_hash_extended(jsonb_path_query_array(custom_fields, '$.keyvalue().key'), 0), rank, id)
      where archived_at is null`);
  }
}
