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

    // The last frame of each agent. Whoever adds frames locks its row, so their numbers are in the order of commits.
    this.addSql(`
      create table agent_stream (
        agent_id uuid primary key references app_user,
        last_seq bigint not null
      ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`);
    // What agents are told, for as long as they can ask for it again. The content is that of the event.
    this.addSql(`
      create table agent_frame (
        agent_id uuid not null references app_user,
        -- Without gaps for each agent, from 1.
        seq bigint not null,
        workspace_id uuid not null references workspace,
        -- The event's id for the agent's first frame of an event. Further ones have ids made from it.
        id uuid not null,
        event_id uuid not null,
        name text not null,
        context jsonb not null,
        -- What the agent must be able to see.
        project_id uuid,
        doc_id uuid,
        created_at timestamptz(3) not null,
        primary key (agent_id, seq)
      ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05)`);
    // An event that is processed again adds nothing.
    this.addSql(`create unique index agent_frame_id on agent_frame (agent_id, id)`);
    this.addSql(`create index agent_frame_time on agent_frame (agent_id, created_at)`);

    // The place of the event in its workspace: queues that need the order take the first events first. Rows of the
    // version before have none, and are older.
    this.addSql(`alter table reaction add column position bigint`);
    this.addSql(`
      create index reaction_in_order on reaction (workspace_id, position nulls first)
      where queue = 'stream-to-agent' and failed_at is null`);
  }
}
