import { Migration } from "@mikro-orm/migrations";

/** The times of an agent's frames never go back, so that a time separates earlier frames from later ones. */
export class AgentFrameTimes extends Migration {
  override up(): void {
    // When the last frame was stored. Null: by the version before.
    this.addSql(`alter table agent_stream add column last_at timestamptz(3)`);
  }
}
