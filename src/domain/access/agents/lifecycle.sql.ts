import type { Writing } from "../../kernel/context.ts";
import type { Db } from "../../kernel/ports/ports.ts";

/** A live key `k` of the agent `a`. */
const isLive = (now: string) => `k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`;

/** Locks the agents among these users, by id, and returns the ids of those that count as connected. */
export async function lockAgents(ctx: Writing, workspaceId: string, userIds: readonly string[]): Promise<string[]> {
  const text = `
    select user_id, revoked_at, updated_at from agent where workspace_id = $1 and user_id = any($2::uuid[])
    order by user_id for no key update`;
  type Locked = { user_id: string; revoked_at: string | null; updated_at: string };
  const rows = await ctx.tx.query<Locked>({ name: "lock_agents", text }, [workspaceId, userIds]);
  for (const { updated_at } of rows) ctx.waited(updated_at);
  return rows.filter(({ revoked_at }) => revoked_at === null).map(({ user_id }) => user_id);
}

/**
 * Keeps people from pausing or disconnecting an agent until the transaction ends; others may do the same. Null if the user
 * is no agent.
 */
export async function keepLimits(
  ctx: Writing,
  workspaceId: string,
  userId: string,
): Promise<{ is_paused: boolean; is_revoked: boolean } | null> {
  const text = `
    select paused_at is not null as is_paused, revoked_at is not null as is_revoked
    from agent where workspace_id = $1 and user_id = $2 for share`;
  type Limits = { is_paused: boolean; is_revoked: boolean };
  const [row] = await ctx.tx.query<Limits>({ name: "keep_agent_limits", text }, [workspaceId, userId]);
  ctx.waited();
  return row ?? null;
}

/** Returns false if the agent counted as connected already. */
export async function reconnect(db: Db, workspaceId: string, agentId: string, now: string): Promise<boolean> {
  const text = `
    update agent set revoked_at = null, updated_at = $3
    where workspace_id = $1 and user_id = $2 and revoked_at is not null returning 1`;
  return (await db.query({ text }, [workspaceId, agentId, now])).length > 0;
}

/** Marks those of these agents that have no live key, each with the reason for which its last one ended. */
export function revokeWithoutKey(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
  now: string,
): Promise<{ id: string; reason: string }[]> {
  const text = `
    update agent a set revoked_at = $3, updated_at = $3
    where a.workspace_id = $1 and a.user_id = any($2::uuid[]) and a.revoked_at is null
      and not exists (select from api_key k where k.user_id = a.user_id and ${isLive("$3::timestamptz")})
    returning a.user_id as id, coalesce((
      select case when k.expires_at <= k.revoked_at then 'expired' else k.revoke_reason end
      from api_key k where k.user_id = a.user_id order by least(k.revoked_at, k.expires_at) desc limit 1), 'expired') as reason`;
  return db.query({ text }, [workspaceId, ids, now]);
}

/** Agents that count as connected and have no live key, because their last one has expired. */
export function agentsWithoutKey(db: Db, limit: number): Promise<{ workspace_id: string; user_id: string }[]> {
  const text = `
    select a.workspace_id, a.user_id from agent a
    where a.revoked_at is null
      and not exists (select from api_key k where k.user_id = a.user_id and ${isLive("now()")})
    limit $1`;
  return db.query({ name: "agents_without_key", text }, [limit]);
}
