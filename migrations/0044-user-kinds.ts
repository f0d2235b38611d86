import { Migration } from "@mikro-orm/migrations";

/** Stored mentions name the kind of a person as the API does. */
export class UserKinds extends Migration {
  override up(): void {
    for (const table of ["comment", "doc_comment"]) {
      this.addSql(`
        update ${table} set mentions = replace(mentions::text, '"kind": "person"', '"kind": "user"')::jsonb
        where mentions::text like '%"kind": "person"%'`);
    }
  }
}
