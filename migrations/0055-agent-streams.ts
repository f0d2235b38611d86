import { Migration } from "@mikro-orm/migrations";

/** The event streams of agents. */
export class AgentStreams extends Migration {
  override up(): void {
    // Web processes that serve streams. Each renews its row; the streams of a dead process do not count.
    this.addSql(`
      create table stream_process (
        id uuid primary key,
        alive_until timestamptz(3) not null
      ) with (fillfactor = 50)`);
    // Open streams of each agent in each process.
    this.addSql(`
      create table agent_presence (
        agent_id uuid not null references app_user,
        process_id uuid not null,
        streams integer not null,
        primary key (agent_id, process_id)
      ) with (fillfactor = 50)`);
    this.addSql(`create index agent_presence_process on agent_presence (process_id)`);
  }
}
