import type { Cursor } from "../../kernel/paging.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { pendingSessions } from "./pending.sql.ts";
import { spendOf } from "./spend.ts";
import { AgentDetailView, AgentView } from "./view.ts";

/** Profiles of agents. $1 is the workspace, $2 the time. */

const ONLINE = `
  exists (select from agent_presence p join stream_process o on o.id = p.process_id
          where p.agent_id = u.id and p.streams > 0 and o.alive_until > now())`;

const columns = `
  u.id, u.id as agent_id, coalesce(u.name, '') as name, ag.handle, ag.kind, ag.description,
  coalesce(u.agent_owner_id, k.created_by) as owner_user_id,
  case when u.agent_client_id is null then 'key' else 'oauth' end as credential, u.agent_client_id as client_id,
  (select count(*)::int from agent_session s
   where s.agent_id = u.id and s.ended_at is null and s.state = 'running') as running_sessions,
  (select max(s.last_activity_at) from agent_session s where s.agent_id = u.id) as last_activity_at,
  u.created_at, ag.updated_at, ag.cost_total::float8 as cost_total, ag.tokens_in, ag.tokens_out, ag.cached_tokens,
  ag.usage_reports, k.prefix as key_prefix, coalesce(k.over, true) as key_revoked,
  coalesce(k.scopes, '{}') as key_scopes, k.last_used_at as key_last_used_at, k.expires_at as key_expires_at,
  ag.field_policy, ag.spend_cap_usd::float8 as spend_cap_usd, ag.spend_cap_action, ag.paused_at is not null as paused,
  ${ONLINE} as online,
  case when ag.spend_month = date_trunc('month', $2::timestamptz at time zone 'UTC')::date
    then ag.spend_usd else 0 end::float8 as period_usd`;

// The agent's newest live credential or, without one, its newest one.
const joins = `
  join agent ag on ag.user_id = u.id
  left join lateral (
    select prefix, scopes, last_used_at, expires_at, created_by,
           revoked_at is not null or coalesce(expires_at <= $2::timestamptz, false) as over
    from api_key where workspace_id = $1 and user_id = u.id
    order by (revoked_at is null and (expires_at is null or expires_at > $2::timestamptz)) desc, created_at desc
    limit 1) k on true`;

const COUNTS = `
  (select count(*)::int from agent_session s where s.agent_id = u.id) as total_sessions,
  ${pendingSessions} as pending_sessions`;

type Row = Omit<AgentDetailView, "spend"> & { period_usd: number };

/** Agents of a workspace with their full profiles. */
export async function readAgentDetails(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
  now: string,
): Promise<AgentDetailView[]> {
  const text = `select ${columns}, ${COUNTS} from app_user u ${joins} where u.agent_workspace_id = $1 and u.id = any($3)`;
  const rows = await db.query<Row>({ name: "read_agent_details", text }, [workspaceId, now, ids]);
  return rows.map((row) => agentDetail(row, now));
}

export type AgentFilter = { online: boolean | null; kind: string | null };

/** Agents of a workspace, newest first, also those that are revoked. */
export async function listAgents(
  db: Db,
  workspaceId: string,
  { online, kind, after, limit, now }: AgentFilter & { after: Cursor | null; limit: number; now: string },
): Promise<AgentView[]> {
  const beyond = after ? "and (ag.created_at, ag.user_id) < ($6::timestamptz, $7::uuid)" : "";
  const text = `
    select ${columns} from app_user u ${joins}
    where ag.workspace_id = $1 and ($3::boolean is null or ${ONLINE} = $3) and ($4::text is null or ag.kind = $4) ${beyond}
    order by ag.created_at desc, ag.user_id desc limit $5`;
  const values = [workspaceId, now, online, kind, limit, ...(after ?? [])];
  const rows = await db.query<AgentView>({ name: `list_agents${after ? "_after" : ""}`, text }, values);
  return rows.map((row) => AgentView.parse(row));
}

function agentDetail({ period_usd, ...row }: Row, now: string): AgentDetailView {
  const spend = spendOf({ period_usd, spend_cap_usd: row.spend_cap_usd }, now);
  return AgentDetailView.parse({ ...row, spend });
}
