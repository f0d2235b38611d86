import { ownerOf } from "../../access/agents/owner.sql.ts";
import { projectColumns, projectJoin } from "../../access/identity/project-access.sql.ts";
import { visibility, visibleObject } from "../../access/identity/visible.sql.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { SessionRow } from "./view.ts";

/** Reads of agent sessions. $1 is the workspace, $2 the caller's user id, $3 the time. */

/**
 * Costs of the last hour, per hour. Of a session that is younger: the costs since its start, but of a minute at least.
 */
const burnRate = `
  case when s.cost_usd is not null then round(
    (select coalesce(sum(t.cost_usd), 0) from agent_usage t
     where t.session_id = s.id and t.created_at > $3::timestamptz - interval '1 hour')
    / extract(epoch from greatest(interval '1 minute', least(interval '1 hour', $3::timestamptz - s.started_at))) * 3600,
    6)::float8 end as burn_rate_usd_per_hour`;

const columns = `
  s.id, s.agent_id, coalesce(u.name, '') as agent_name, coalesce(ag.kind, 'custom') as agent_kind,
  ${ownerOf("u")} as owner_user_id, s.state, s.state_reason,
  s.title, s.note, s.external_url, s.branch, s.question, s.plan, s.summary, s.error, s.claim, s.reopened,
  s.workflow_run_id, s.model, s.cost_usd::float8 as cost_usd, s.cost_estimated, s.tokens_in, s.tokens_out,
  s.cached_tokens, s.usage_reports, s.issue_id, i.key as issue_key, i.archived_at as issue_archived_at,
  s.started_by, s.started_at, s.last_activity_at,
  s.needs_input_at, s.review_at, s.ended_at, s.updated_at, ${burnRate},
  array(select o.id from agent_session o
        where o.issue_id = s.issue_id and o.id <> s.id and o.ended_at is null order by o.id) as other_open_session_ids,
  (select o.agent_id from agent_session o
   where o.issue_id = s.issue_id and o.claim and o.ended_at is null) as claimed_by,
  s.issue_id is not null and exists (
    select from comment c where c.issue_id = s.issue_id and c.author_id = s.agent_id and c.created_at >= s.started_at
      and c.deleted_at is null) as has_commented,
  ${projectColumns}`;
const joins = `
  join app_user u on u.id = s.agent_id left join agent ag on ag.user_id = s.agent_id
  left join issue i on i.id = s.issue_id ${projectJoin("s.project_id", 2)}`;

export async function readSession(
  { db, now, workspace, principal }: InWorkspace,
  id: string,
): Promise<SessionRow | null> {
  const text = `select ${columns} from agent_session s ${joins} where s.workspace_id = $1 and s.id = $4`;
  const values = [workspace.id, principal.user_id, now, id];
  const [row] = await db.query<SessionRow>({ name: "read_agent_session", text }, values);
  return row ?? null;
}

export type SessionFilter = { states: string[] | null; issueId: string | null; agentIds: string[] | null };

/** Sessions that the caller sees, newest activity first. */
export function listSessions(
  { db, now, workspace, principal }: InWorkspace,
  { states, issueId, agentIds }: SessionFilter,
  after: Cursor | null,
  limit: number,
): Promise<SessionRow[]> {
  const beyond = after ? "and (s.last_activity_at, s.id) < ($12::timestamptz, $13::uuid)" : "";
  const text = `
    select ${columns} from agent_session s ${joins}
    where s.workspace_id = $1 and ${visibleObject(4)} and ($8::text[] is null or s.state = any($8))
      and ($9::uuid is null or s.issue_id = $9) and ($10::uuid[] is null or s.agent_id = any($10)) ${beyond}
    order by s.last_activity_at desc, s.id desc limit $11`;
  const filter = [states, issueId, agentIds, limit];
  const values = [workspace.id, principal.user_id, now, ...visibility(principal), ...filter, ...(after ?? [])];
  return db.query<SessionRow>({ name: `list_agent_sessions${after ? "_after" : ""}`, text }, values);
}

/** The agent's open session on an issue. */
export async function openSessionOf(
  { tx, workspace }: InWorkspace & Writing,
  agentId: string,
  issueId: string,
): Promise<string | null> {
  const text = `select id from agent_session
                where workspace_id = $1 and agent_id = $2 and issue_id = $3 and ended_at is null`;
  const [row] = await tx.query<{ id: string }>({ name: "open_agent_session", text }, [workspace.id, agentId, issueId]);
  return row?.id ?? null;
}

/** Whether a workflow run is about the issue. */
export async function isRunOf({ db, workspace }: InWorkspace, runId: string, issueId: string): Promise<boolean> {
  const text = `select 1 from workflow_run where workspace_id = $1 and id = $2 and issue_id = $3`;
  return (await db.query({ name: "workflow_run_of_issue", text }, [workspace.id, runId, issueId])).length > 0;
}

/** The person who answers for an agent. */
export async function ownerOfAgent({ db, workspace }: InWorkspace, agentId: string): Promise<string | null> {
  const text = `select ${ownerOf("u")} as owner_user_id from app_user u where u.agent_workspace_id = $1 and u.id = $2`;
  const [row] = await db.query<{ owner_user_id: string | null }>({ name: "owner_of_agent", text }, [
    workspace.id,
    agentId,
  ]);
  return row?.owner_user_id ?? null;
}
