import type { Db } from "../../kernel/ports/ports.ts";

/** Events that runs wait for. */

/** SQL: whether a stage of the workspace of event `e` waits for events of its type. */
export const IS_AWAITED = `
  e.person_id is null and e.channel_id is null
  and exists (select from workflow_stage s
              where s.workspace_id = e.workspace_id and s.state = 'active' and s.awaits = e.type)`;

/** SQL: whether the issue of event `e` is in a run. */
export const IS_IN_RUN = `
  exists (select from workflow_run r where r.issue_id = e.issue_id and r.status = 'running')`;

/** SQL: whether an issue of the project of event `e` is in a run. */
export const HAS_RUNS_IN_PROJECT = `
  exists (select from workflow_run r
          where r.workspace_id = e.workspace_id and r.project_id = e.project_id and r.status = 'running')`;

/** SQL: whether workspace `$1` has a run that an event can concern. */
export const HAS_RUNS = "exists (select from workflow_run r where r.workspace_id = $1 and r.status = 'running')";

const CONCERNED = {
  name: "workflow_runs_concerned",
  text: `
    select r.id as run_id, e.id as event_id, e.type, e.created_at,
           case when e.type like 'agent\\_session.%' then e.data end as session,
           e.type in ('issue.archived', 'project.archived') and r.started_at <= e.created_at as archived,
           e.cause ->> 'workflow_run_id' = r.id::text as is_own,
           array(select s.node_id from workflow_stage s
                 where s.run_id = r.id and s.state = 'active' and s.awaits = e.type and s.activated_at <= e.created_at)
             as node_ids
    from event e join workflow_run r on r.workspace_id = e.workspace_id and r.status = 'running'
      and case when e.issue_id is not null then r.issue_id = e.issue_id
               else e.project_id is null or r.project_id = e.project_id end
    where e.workspace_id = $1 and e.id = any($2::uuid[]) and e.person_id is null and e.channel_id is null
      and (e.type in ('issue.archived', 'project.archived', 'agent_session.created', 'agent_session.state_changed')
           or exists (select from workflow_stage s where s.run_id = r.id and s.state = 'active'
                      and (s.awaits = e.type or e.type = 'agent_session.updated' and 'cost_usd' = any(e.changed)
                                                and s.session_id = (e.data ->> 'id')::uuid)))
    order by e.id, r.id`,
};

export type Concerned = {
  run_id: string;
  event_id: string;
  type: string;
  created_at: string;
  /** The agent session that the event is about, as REST returns it. */
  session: { id: string; agent_id: string; state: string } | null;
  /** Whether the event archived the issue or its project while the run was open. The issue may be in a later run now. */
  archived: boolean;
  /** Whether the run itself caused the event. */
  is_own: boolean | null;
  /** The stages that wait for the event, and were active when it happened. */
  node_ids: string[];
};

/** The open runs that events concern: those about their issue, or about their project or workspace and no issue. */
export const concernedBy = (db: Db, workspaceId: string, eventIds: readonly string[]): Promise<Concerned[]> =>
  db.query<Concerned>(CONCERNED, [workspaceId, eventIds]);
