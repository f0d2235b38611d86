import { isCredentialLive } from "../../access/identity/set-up-by.sql.ts";
import type { Db } from "../../kernel/ports/ports.ts";

/** The workspace's usage. Everything that is counted here is limited by plans, so counting it is cheap. Runs are counted as they start. */
export type UsageRow = {
  editors: number;
  guests: number;
  agents: number;
  projects: number;
  webhooks: number;
  goals: number;
  portfolios: number;
  automations: number;
  enabled_workflows: number;
  /** Of this calendar month (UTC). */
  automation_runs: number;
  topup_balance: number;
  used_bytes: number;
  /** Of this calendar month (UTC), also by agents that were revoked since. */
  agents_spent_usd: number;
  /** The caps of all agents together. Null if an agent has none. */
  agents_cap_usd: number | null;
};

const USAGE = {
  name: "workspace_usage",
  text: `
    select m.editors, m.guests, m.agents,
           (select count(*) from project where workspace_id = $1 and archived_at is null) as projects,
           (select count(*) from webhook where workspace_id = $1 and owner_id is null and deleted_at is null) as webhooks,
           (select count(*) from goal where workspace_id = $1 and deleted_at is null) as goals,
           (select count(*) from portfolio where workspace_id = $1 and deleted_at is null) as portfolios,
           (select count(*) from automation where workspace_id = $1 and deleted_at is null) as automations,
           (select count(*) from workflow w join workflow_version v on v.workflow_id = w.id and v.version = w.version
            where w.workspace_id = $1 and w.status = 'enabled' and w.deleted_at is null
              and ${isCredentialLive("v", "w.workspace_id")}) as enabled_workflows,
           coalesce((select runs from automation_month
                     where workspace_id = $1 and month = date_trunc('month', $2::timestamptz at time zone 'UTC')::date), 0)
             as automation_runs,
           coalesce((select topup_balance from credit_account where workspace_id = $1), 0) as topup_balance,
           coalesce((select used_bytes from storage_account where workspace_id = $1), 0) as used_bytes,
           s.agents_spent_usd, s.agents_cap_usd
    from (
      select coalesce(sum(spend_usd) filter (
               where spend_month >= date_trunc('month', $2::timestamptz at time zone 'UTC')::date), 0)::float8 as agents_spent_usd,
             case when bool_and(spend_cap_usd is not null or revoked_at is not null)
               then sum(spend_cap_usd) filter (where revoked_at is null) end::float8 as agents_cap_usd
      from agent where workspace_id = $1) s
    cross join (
      select count(*) filter (where u.kind = 'person' and m.role in ('owner', 'admin', 'member')) as editors,
             count(*) filter (where u.kind = 'person' and m.role = 'guest') as guests,
             count(*) filter (where u.kind = 'agent' and exists (
               select from api_key k where k.workspace_id = $1 and k.user_id = u.id and k.revoked_at is null
                 and (k.expires_at is null or k.expires_at > $2::timestamptz))) as agents
      from member m join app_user u on u.id = m.user_id
      where m.workspace_id = $1 and m.status = 'active') m`,
};

export async function readUsage(db: Db, workspaceId: string, now: string): Promise<UsageRow> {
  const [row] = await db.query<UsageRow>(USAGE, [workspaceId, now]);
  return row as UsageRow;
}
