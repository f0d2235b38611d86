import { Migration } from "@mikro-orm/migrations";

/** Sessions that end, or wait, because of what happens around them. */
export class SessionEnds extends Migration {
  override up(): void {
    // The state to which a session of a paused agent returns. Null: its state is its own.
    this.addSql(`
      alter table agent_session add column state_before_pause text
        check (state_before_pause in ('running', 'review')),
        add check (state_before_pause is null or state = 'needs_input')`);
    this.addSql(`create index agent_session_live on agent_session (workspace_id, id) where ended_at is null`);
  }
}
