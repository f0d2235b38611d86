import { ConcurrentIndexes } from "./shared/concurrent-indexes.ts";

/**
 * Issues in board order, by which custom fields they have a value of. Most issues have values of the same fields, so those
 * without a value of one are in few parts of the index.
 */
export class FieldsOfIssues extends ConcurrentIndexes {
  override up(): void {
    this.build(
      "issue_by_fields",
      `issue (project_id, jsonb_hash_extended(jsonb_path_query_array(custom_fields, '$.keyvalue().key'), 0), rank, id)
       where archived_at is null`,
    );
  }
}
