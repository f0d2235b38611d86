import type { Ctx, Writing } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { NewSecret } from "../../kernel/secrets.ts";
import { ownerOf } from "../agents/owner.sql.ts";
import type { ApiKeyRow } from "./view.ts";

const columns = `
  id, user_id, kind, name, prefix, last_four, scopes, project_ids, rate_limit_per_minute, expires_at, last_used_at,
  last_used_ip, revoked_at, revoke_reason, created_by, created_at, updated_at`;

// Revoked keys stay listed for 90 days, so that people can see what happened to a key.
const KEPT = `(revoked_at is null or revoked_at > $2::timestamptz - interval '90 days')`;

/** Only keys limited to some of these projects. Null: all keys. */
type Within = string[] | null;
const WITHIN = "($3::uuid[] is null or project_ids <@ $3)";

/** Keys of a workspace, newest first. */
export function listKeys(
  ctx: Ctx,
  workspaceId: string,
  { within, after, limit }: { within: Within; after: Cursor | null; limit: number },
): Promise<ApiKeyRow[]> {
  const paged = after ? `and (created_at, id) < ($5::timestamptz, $6::uuid)` : "";
  return ctx.db.query<ApiKeyRow>(
    {
      text: `
        select ${columns} from api_key where workspace_id = $1 and ${KEPT} and ${WITHIN} ${paged}
        order by created_at desc, id desc limit $4`,
    },
    [workspaceId, ctx.now, within, limit, ...(after ?? [])],
  );
}

/** A person's personal tokens that are not revoked, newest first. They are few. */
export function listPersonal(ctx: Ctx, workspaceId: string, userId: string): Promise<ApiKeyRow[]> {
  return ctx.db.query<ApiKeyRow>(
    {
      text: `
        select ${columns} from api_key
        where workspace_id = $1 and user_id = $2 and kind = 'personal' and revoked_at is null
        order by created_at desc, id desc`,
    },
    [workspaceId, userId],
  );
}

export async function findKey(ctx: Ctx, workspaceId: string, id: string): Promise<ApiKeyRow | null> {
  const [row] = await ctx.db.query<ApiKeyRow>(
    { text: `select ${columns} from api_key where workspace_id = $1 and ${KEPT} and id = $3` },
    [workspaceId, ctx.now, id],
  );
  return row ?? null;
}

/** Locks the keys of an agent that are not revoked, by id. */
export async function lockKeysOf(ctx: Writing, workspaceId: string, agentId: string): Promise<void> {
  const text = `
    select 1 from api_key where workspace_id = $1 and user_id = $2 and revoked_at is null order by id for update`;
  await ctx.tx.query({ text }, [workspaceId, agentId]);
  ctx.waited();
}

/**
 * Revokes every live key that acts as a user or was created by them, including their agents' keys and OAuth grants.
 */
export function revokeKeysOf(ctx: Ctx, workspaceId: string, userId: string, reason: string): Promise<ApiKeyRow[]> {
  return ctx.db.query<ApiKeyRow>(
    {
      text: `
        update api_key set revoked_at = $3, revoke_reason = $4, updated_at = $3
        where workspace_id = $1 and (user_id = $2 or created_by = $2) and revoked_at is null
        returning ${columns}`,
    },
    [workspaceId, userId, ctx.now, reason],
  );
}

/** Revokes all keys and grants of an agent. */
export function revokeKeysOfAgent(
  ctx: Ctx,
  workspaceId: string,
  agentId: string,
  reason: string,
): Promise<ApiKeyRow[]> {
  return ctx.db.query<ApiKeyRow>(
    {
      text: `
        update api_key set revoked_at = $3, revoke_reason = $4, updated_at = $3
        where workspace_id = $1 and user_id = $2 and revoked_at is null
        returning ${columns}`,
    },
    [workspaceId, agentId, ctx.now, reason],
  );
}

export type NewKey = Pick<
  ApiKeyRow,
  "id" | "user_id" | "kind" | "name" | "scopes" | "project_ids" | "rate_limit_per_minute" | "expires_at" | "created_by"
>;

/** Stores a key with the hash of its secret. Only the access statement reads the hash. */
export async function insertKey(ctx: Ctx, workspaceId: string, key: NewKey, secret: NewSecret): Promise<void> {
  const { hash, prefix, last_four } = secret;
  await ctx.db.query(
    {
      text: `
        insert into api_key (id, workspace_id, user_id, kind, name, hash, prefix, last_four, scopes, project_ids,
                             rate_limit_per_minute, expires_at, created_by, created_at, updated_at)
        select id, $1, user_id, kind, name, $2, $3, $4, scopes, project_ids,
               rate_limit_per_minute, expires_at, created_by, $5, $5
        from jsonb_to_record($6::jsonb) as k(id uuid, user_id uuid, kind text, name text, scopes text[], project_ids uuid[],
                                             rate_limit_per_minute integer, expires_at timestamptz, created_by uuid)`,
    },
    [workspaceId, hash, prefix, last_four, ctx.now, JSON.stringify(key)],
  );
}

/** An agent of the workspace, and whether it has a live credential. */
export async function findAgent(
  db: Db,
  workspaceId: string,
  id: string,
  now: string,
): Promise<{ works: boolean; owner_id: string | null } | null> {
  const text = `
    select ${WORKS} as works,
           (select g.user_id from member g
            where g.workspace_id = $1 and g.user_id = ${ownerOf("u")} and g.status = 'active') as owner_id
    from ${AGENTS} and u.id = $3`;
  const [row] = await db.query<{ works: boolean; owner_id: string | null }>({ text }, [workspaceId, now, id]);
  return row ?? null;
}

/** Agents with a live credential. Only these count towards the plan's limit. */
export async function countAgents(db: Db, workspaceId: string, now: string): Promise<number> {
  const [row] = await db.query<{ agents: number }>(
    {
      text: `select count(*) as agents from ${AGENTS} and ${WORKS}`,
    },
    [workspaceId, now],
  );
  return row?.agents ?? 0;
}

const AGENTS = `
  app_user u join member m on m.user_id = u.id and m.workspace_id = u.agent_workspace_id and m.status = 'active'
  where u.agent_workspace_id = $1 and u.kind = 'agent'`;

const WORKS = `
  exists (
    select from api_key k where k.workspace_id = $1 and k.user_id = u.id and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > $2::timestamptz))`;
