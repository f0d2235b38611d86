import { ConcurrentIndexes } from "./shared/concurrent-indexes.ts";

/**
 * Values of which an issue has one each, as numbers that are different in each project. Of what filters ask for, this index
 * has what many issues have in common, so that issues with several such values are found without reading the others.
 */
const VALUES = `array[
  hashtextextended(status, uuid_hash_extended(project_id, 0)),
  hashtextextended(priority, uuid_hash_extended(project_id, 0)),
  hashtextextended(type, uuid_hash_extended(project_id, 0)),
  uuid_hash_extended(reporter_id, uuid_hash_extended(project_id, 0))]`;

/** One index of words, people, labels and values instead of three. A change writes the project once, and to one list. */
export class ValuesInOneIndex extends ConcurrentIndexes {
  override up(): void {
    const on = (live: string) => `
      issue using gin (project_id, search, assignee_ids, label_ids, (${VALUES}))
      with (gin_pending_list_limit = 512) where archived_at ${live}`;
    this.build("issue_search", on("is null"), ["issue_by_label", "issue_by_assignee"]);
    // Archived issues are few, and live ones cost nothing here.
    this.build("issue_archived_search", on("is not null"));
  }
}
