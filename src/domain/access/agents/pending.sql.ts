/** The count goes no further. */
const MAX = 1_000;

/**
 * SQL for the number of open issues that wait for the agent `u`: it was assigned to them, or to an active stage of their
 * workflow, and has begun no session since. An issue with both counts once. $1 is the workspace.
 */
export const pendingSessions = `(
  select count(*)::int from (
    select i.id from project p
    join issue i on i.project_id = p.id and i.assignee_ids @> array[u.id] and i.archived_at is null
    where p.workspace_id = $1 and p.archived_at is null and i.status not in ('done', 'failed', 'cancelled')
      and not exists (
        select from agent_session s where s.issue_id = i.id and s.agent_id = u.id
          and (s.ended_at is null or s.started_at >= coalesce((
            select max(a.created_at) from activity a
            where a.issue_id = i.id and a.kind = 'assigned' and a.payload -> 'to' ? u.id::text), i.created_at)))
    union
    select r.issue_id from workflow_stage t join workflow_run r on r.id = t.run_id and r.status = 'running'
    where t.assignee_user_id = u.id and t.state = 'active' and t.session_id is null
      and not exists (
        select from agent_session s where s.issue_id = r.issue_id and s.agent_id = u.id
          and (s.ended_at is null or s.started_at >= t.activated_at))
    limit ${MAX}) pending)`;
