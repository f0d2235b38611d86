import { Migration } from "@mikro-orm/migrations";

/** Confirmations of all forms of a workspace, which are counted before another one is written. */
export class FormMail extends Migration {
  override up(): void {
    this.addSql(`create index form_submission_mail_here on form_submission (workspace_id, created_at) where confirmed`);
  }
}
