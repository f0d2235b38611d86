import { ConcurrentIndexes } from "./shared/concurrent-indexes.ts";

/** The newest comments of a project, which search compares before it asks its index of words. */
export class NewestComments extends ConcurrentIndexes {
  override up(): void {
    this.build("comment_newest", "comment (project_id, created_at, id) where deleted_at is null");
  }
}
