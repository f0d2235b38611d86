import { Migration } from "@mikro-orm/migrations";

/** People who left a workspace and were assigned to very many open issues: a worker unassigns them in pieces. */
export class MemberDepartures extends Migration {
  override up(): void {
    this.addSql(`
      create table member_departure (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        user_id uuid not null references app_user,
        -- The actor and the cause, as events store them: who ended the membership.
        author jsonb not null,
        due_at timestamptz(3),
        held_by uuid,
        created_at timestamptz(3) not null,
        unique (workspace_id, user_id)
      )`);
    this.addSql(`create index member_departure_due on member_departure (due_at) where due_at is not null`);
  }
}
