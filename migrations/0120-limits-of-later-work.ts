import { Migration } from "@mikro-orm/migrations";

/**
 * Objects that act later keep the limits of the credential that last defined them. Without a key, that was a person in a
 * browser. There is no foreign key: a deleted key must count as an ended one, and not as none.
 */
export class LimitsOfLaterWork extends Migration {
  override up(): void {
    for (const table of ["automation", "workflow_version", "webhook"]) {
      this.addSql(`
        alter table ${table} add column key_id uuid, add column key_scopes text[],
          add check ((key_id is null) = (key_scopes is null))`);
    }
    // The projects of the key that started the run. Null: all.
    this.addSql(`alter table workflow_run add column within uuid[]`);
    const reasons = {
      automation: ["user", "failing", "loop", "plan", "rights", "credential_ended"],
      workflow: ["plan", "credential_ended"],
      webhook: ["user", "gone", "failing", "credential_ended"],
    };
    for (const [table, values] of Object.entries(reasons)) {
      this.addSql(`
        alter table ${table} drop constraint ${table}_disabled_reason_check,
          add constraint ${table}_disabled_reason_check
            check (disabled_reason in (${values.map((value) => `'${value}'`).join(", ")}))`);
    }
    this.addSql(`create index automation_of_key on automation (key_id) where key_id is not null and enabled`);
    this.addSql(`create index webhook_of_key on webhook (key_id) where key_id is not null and disabled_at is null`);
  }
}
