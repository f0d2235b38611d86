import { Migration } from "@mikro-orm/migrations";

/** What agents report of their costs. */
export class AgentUsage extends Migration {
  override up(): void {
    this.addSql(`
      create table agent_usage (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        session_id uuid not null references agent_session,
        -- The client's name of the turn. A repeated report has the same one.
        turn_id text,
        model text,
        tokens_in bigint,
        tokens_out bigint,
        cached_tokens bigint,
        cache_write_tokens bigint,
        -- Null: not known.
        cost_usd numeric(18, 6),
        source text not null check (source in ('reported', 'estimated', 'none')),
        -- The row of the price table that the estimate used.
        price_match text,
        created_at timestamptz(3) not null
      )`);
    this.addSql(`create unique index agent_usage_turn on agent_usage (session_id, turn_id) where turn_id is not null`);
    // For the costs of the last hour.
    this.addSql(`create index agent_usage_recent on agent_usage (session_id, created_at) include (cost_usd)`);

    // The sum of many reports can be larger. This does not rewrite the table.
    this.addSql(`alter table agent_session alter column cost_usd type numeric(18, 6)`);
  }
}
