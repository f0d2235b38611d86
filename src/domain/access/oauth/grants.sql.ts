import type { Db } from "../../kernel/ports/ports.ts";
import type { RevokedKey } from "../keys/revoked-mail.ts";

/** Grants are rows of api_key with the kind `oauth`, so that one query checks all credentials. */

export type NewGrant = {
  id: string;
  agentId: string;
  clientId: string;
  name: string;
  scopes: string[];
  approvedBy: string;
  expiresAt: string;
  now: string;
};

export async function insertGrant(db: Db, workspaceId: string, g: NewGrant): Promise<void> {
  await db.query(
    {
      text: `
        insert into api_key (id, workspace_id, user_id, kind, name, prefix, last_four, scopes, client_id, expires_at,
                             created_by, created_at, updated_at)
        values ($2, $1, $3, 'oauth', $4, 'oat_', '', $5, $6, $7, $8, $9, $9)`,
    },
    [workspaceId, g.id, g.agentId, g.name, g.scopes, g.clientId, g.expiresAt, g.approvedBy, g.now],
  );
}

export type LiveGrant = {
  id: string;
  workspace_id: string;
  workspace_slug: string;
  agent_id: string;
  approved_by: string;
  client_id: string;
  scopes: string[];
  created_at: string;
  expires_at: string | null;
};

/**
 * A live grant: not revoked, its agent active, and the person who approved it an active member who may have agents.
 * The provider knows only the id of a grant, so this returns its workspace.
 */
export async function findLiveGrant(db: Db, id: string, now: string): Promise<LiveGrant | null> {
  const [row] = await db.query<LiveGrant>(
    {
      name: "oauth_find_grant",
      text: `
        select k.id, k.workspace_id, w.slug as workspace_slug, k.user_id as agent_id, k.created_by as approved_by,
               k.client_id, k.scopes, k.created_at, k.expires_at
        from api_key k
        join workspace w on w.id = k.workspace_id
        join member a on a.workspace_id = k.workspace_id and a.user_id = k.user_id and a.status = 'active'
        join member p on p.workspace_id = k.workspace_id and p.user_id = k.created_by and p.status = 'active'
                     and p.role <> 'guest'
        where k.id = $1 and k.kind = 'oauth' and k.revoked_at is null
          and (k.expires_at is null or k.expires_at > $2::timestamptz)`,
    },
    [id, now],
  );
  return row ?? null;
}

/** Whether a person has approved a client, registered or published, and has not disconnected it since. */
export async function hasGranted(
  db: Db,
  { userId, clientId, now }: { userId: string; clientId: string; now: string },
): Promise<boolean> {
  const rows = await db.query(
    {
      name: "oauth_has_granted",
      text: `
        select from api_key where client_id = $1 and created_by = $2 and kind = 'oauth' and revoked_at is null
          and (expires_at is null or expires_at > $3::timestamptz) limit 1`,
    },
    [clientId, userId, now],
  );
  return rows.length > 0;
}

export type GrantHolder = { workspace_id: string; agent_id: string; agent_name: string | null };

/** The owner of a grant, revoked or not. The provider knows only the id of a grant. */
export async function findGrantHolder(db: Db, id: string): Promise<GrantHolder | null> {
  const [row] = await db.query<GrantHolder>(
    {
      text: `
        select k.workspace_id, k.user_id as agent_id, u.name as agent_name
        from api_key k join app_user u on u.id = k.user_id where k.id = $1 and k.kind = 'oauth'`,
    },
    [id],
  );
  return row ?? null;
}

/**
 * Selects grants: one, all with the agent and approver of `likeId`, all that a user is the agent or approver of, or all of
 * a client.
 */
export type GrantChoice = {
  id?: string;
  likeId?: string;
  approvedBy?: string;
  agentOrApprover?: string;
  clientId?: string;
};

/** Revokes the selected live grants and returns them. A later statement deletes their records. */
export function revokeGrants(
  db: Db,
  workspaceId: string,
  { id, likeId, approvedBy, agentOrApprover, clientId }: GrantChoice,
  { now, reason }: { now: string; reason: string },
): Promise<(RevokedKey & { id: string })[]> {
  return db.query(
    {
      text: `
        update api_key set revoked_at = $2, revoke_reason = $3, updated_at = $2
        where workspace_id = $1 and kind = 'oauth' and revoked_at is null
          and ($4::uuid is null or id = $4) and ($5::uuid is null or created_by = $5)
          and ($8::text is null or client_id = $8)
          and ($6::uuid is null or $6 in (user_id, created_by))
          and ($7::uuid is null or (user_id, created_by) = (
            select user_id, created_by from api_key where workspace_id = $1 and kind = 'oauth' and id = $7))
        returning id, kind, name, prefix, last_four, user_id, created_by`,
    },
    [
      workspaceId,
      now,
      reason,
      id ?? null,
      approvedBy ?? null,
      agentOrApprover ?? null,
      likeId ?? null,
      clientId ?? null,
    ],
  );
}

export type GrantRow = {
  id: string;
  agent_id: string;
  client_name: string;
  client_id: string;
  scopes: string[];
  approved_by: { id: string; name: string | null; email: string | null };
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
};

/**
 * Live grants of a workspace, newest first; only those that `approvedBy` approved, if given. An agent may have
 * several grants by one person, one per machine. The newest represents them all, with the latest use of any.
 */
export function listLiveGrants(
  db: Db,
  workspaceId: string,
  { approvedBy, now, limit }: { approvedBy: string | null; now: string; limit: number },
): Promise<GrantRow[]> {
  return db.query<GrantRow>(
    {
      text: `
        with newest as (
          select distinct on (k.user_id, k.created_by) k.id, k.user_id as agent_id, k.name as client_name, k.client_id,
                 k.scopes, k.created_at, k.expires_at, k.created_by,
                 max(k.last_used_at) over (partition by k.user_id, k.created_by) as last_used_at
          from api_key k
          where k.workspace_id = $1 and k.kind = 'oauth' and k.revoked_at is null
            and (k.expires_at is null or k.expires_at > $2::timestamptz) and ($3::uuid is null or k.created_by = $3)
          order by k.user_id, k.created_by, k.created_at desc, k.id desc
        )
        select n.id, n.agent_id, n.client_name, n.client_id, n.scopes, n.created_at, n.expires_at, n.last_used_at,
               json_build_object('id', p.id, 'name', p.name, 'email', p.email) as approved_by
        from newest n join app_user p on p.id = n.created_by
        order by n.created_at desc, n.id desc limit $4`,
    },
    [workspaceId, now, approvedBy, limit],
  );
}
