import { Migration } from "@mikro-orm/migrations";

/** The newest comments of a project, which search compares before it asks its index of words. */
export class NewestComments extends Migration {
  override up(): void {
    this.addSql(`create index comment_newest on comment (project_id, created_at, id) where deleted_at is null`);
  }
}
