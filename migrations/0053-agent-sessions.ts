import { Migration } from "@mikro-orm/migrations";

/** Sessions in which agents, or people, work on issues. */
export class AgentSessions extends Migration {
  override up(): void {
    this.addSql(`
      create table agent_session (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        -- Who works: an agent, or a person.
        agent_id uuid not null references app_user,
        issue_id uuid references issue,
        -- The project of the issue.
        project_id uuid references project,
        state text not null
          check (state in ('running', 'needs_input', 'review', 'done', 'failed', 'cancelled')),
        state_reason text,
        title text not null,
        note text,
        external_url text,
        branch text,
        question jsonb,
        plan jsonb not null,
        summary text,
        error text,
        claim boolean not null default false,
        reopened integer not null,
        workflow_run_id uuid references workflow_run,
        -- What the agent reported of its costs. Null: nothing.
        model text,
        cost_usd numeric(12, 6),
        cost_estimated boolean not null default false,
        tokens_in bigint,
        tokens_out bigint,
        cached_tokens bigint,
        usage_reports integer not null default 0,
        started_by uuid not null references app_user,
        started_at timestamptz(3) not null,
        last_activity_at timestamptz(3) not null,
        needs_input_at timestamptz(3),
        review_at timestamptz(3),
        ended_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        check ((ended_at is null) = (state in ('running', 'needs_input', 'review')))
      ) with (fillfactor = 80)`);
    this.addSql(`
      create index agent_session_list on agent_session (workspace_id, last_activity_at desc, id desc)`);
    this.addSql(`create index agent_session_issue on agent_session (issue_id, id) where issue_id is not null`);
    this.addSql(`create index agent_session_agent on agent_session (agent_id, last_activity_at desc, id desc)`);
    // An agent has one open session on an issue.
    this.addSql(`
      create unique index agent_session_open on agent_session (issue_id, agent_id)
      where issue_id is not null and ended_at is null`);
  }
}
