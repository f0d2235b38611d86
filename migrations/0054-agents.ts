import { Migration } from "@mikro-orm/migrations";

/** What people decide about an agent, and what the agent has reported. The agent itself is a row of `app_user`. */
export class Agents extends Migration {
  override up(): void {
    this.addSql(`
      create table agent (
        user_id uuid primary key references app_user,
        workspace_id uuid not null references workspace,
        -- The provider, such as claude.
        kind text not null default 'custom',
        -- Lets texts mention the agent as @handle. Unique in the workspace.
        handle text,
        description text,
        -- Fields of issues that the agent may change. Null: all.
        field_policy text[],
        spend_cap_usd numeric(12, 6),
        spend_cap_action text not null default 'alert' check (spend_cap_action in ('alert', 'block')),
        paused_at timestamptz(3),
        -- When the agent's last key was revoked or found to be expired. Null: it had a live key when this was last checked.
        revoked_at timestamptz(3),
        -- Sums of all reports of usage. Null: nothing was reported, or no cost is known.
        cost_total numeric(18, 6),
        tokens_in bigint,
        tokens_out bigint,
        cached_tokens bigint,
        usage_reports bigint not null default 0,
        -- The month (in UTC, its first day) of the last report, its costs, and the percentage of the cap that was last
        -- announced in it.
        spend_month date,
        spend_usd numeric(18, 6) not null default 0,
        spend_announced smallint not null default 0,
        created_at timestamptz(3) not null,
        -- When people last changed the agent. Usage leaves it alone.
        updated_at timestamptz(3) not null
      ) with (fillfactor = 80)`);
    this.addSql(`create unique index agent_handle on agent (workspace_id, lower(handle)) where handle is not null`);
    this.addSql(`create index agent_list on agent (workspace_id, created_at desc, user_id desc)`);

    this.addSql(`create index agent_session_of on agent_session (agent_id, state) where ended_at is null`);

    // Also for agents that the running version creates during the deployment.
    this.addSql(`
      create function start_agent() returns trigger language plpgsql as $$
      begin
        insert into agent (user_id, workspace_id, created_at, updated_at)
        values (new.id, new.agent_workspace_id, new.created_at, new.created_at)
        on conflict do nothing;
        return null;
      end $$`);
    this.addSql(`
      create trigger agent_start after insert on app_user for each row when (new.kind = 'agent')
      execute function start_agent()`);
    this.addSql(`
      insert into agent (user_id, workspace_id, created_at, updated_at)
      select id, agent_workspace_id, created_at, created_at from app_user where kind = 'agent'
      on conflict do nothing`);

    // Each call reads these two from a cache that this version number keeps current.
    this.addSql(`
      create constraint trigger access_version after update of field_policy, paused_at on agent
      deferrable initially deferred for each row
      when (old.field_policy is distinct from new.field_policy or old.paused_at is distinct from new.paused_at)
      execute function count_access_version()`);
  }
}
