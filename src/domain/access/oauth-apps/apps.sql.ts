import type { Ctx } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { ClientMetadata } from "../oauth/registration.ts";

/**
 * The apps of a workspace are the clients that its admins created, and all other clients with a live grant here. Clients
 * that publish their own metadata have no row, so their grants tell what is known of them.
 */

export type AppRow = {
  client_id: string;
  created_at: string;
  created_by: string;
  /** Null: the client registered itself. */
  workspace_id: string | null;
  name: string;
  metadata: ClientMetadata | null;
  description: string | null;
  grants_count: number;
  granted_scopes: string[];
};

const LIVE = `
  k.workspace_id = $1 and k.kind = 'oauth' and k.revoked_at is null
  and (k.expires_at is null or k.expires_at > $2::timestamptz)`;

// A client that registered itself came here when its first agent did. That time stays the same when grants end.
const found = (condition: string) => `
  with found as (
    (select c.id as client_id, c.created_at, c.created_by from oauth_client c
     where c.workspace_id = $1 and c.revoked_at is null ${condition.replaceAll("client_id", "c.id")}
     order by c.created_at desc, c.id desc limit $3)
    union all
    select * from (
      select k.client_id, a.created_at, a.created_by
      from (
        select distinct k.client_id from api_key k
        where ${LIVE} and not exists (
          select from oauth_client c where c.id = k.client_id and c.workspace_id is not null)
      ) k
      cross join lateral (
        select min(u.created_at) as created_at,
               (array_agg(u.agent_owner_id order by u.created_at, u.id))[1] as created_by
        from app_user u where u.agent_workspace_id = $1 and u.agent_client_id = k.client_id
      ) a
    ) d where true ${condition}
  ), page as (select * from found order by created_at desc, client_id desc limit $3)
  select p.client_id, p.created_at, p.created_by, c.workspace_id, coalesce(c.name, g.name) as name, c.metadata,
         c.description, g.grants_count, g.granted_scopes
  from page p
  left join oauth_client c on c.id = p.client_id
  cross join lateral (
    select count(*) as grants_count, (array_agg(k.name order by k.created_at desc, k.id desc))[1] as name,
           array(select distinct s from api_key k, unnest(k.scopes) s
                 where ${LIVE} and k.client_id = p.client_id order by s) as granted_scopes
    from api_key k where ${LIVE} and k.client_id = p.client_id
  ) g
  order by p.created_at desc, p.client_id desc`;

/** Apps of a workspace, newest first. */
export function listApps(
  ctx: Ctx,
  workspaceId: string,
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<AppRow[]> {
  const paged = after ? "and (created_at, client_id) < ($4::timestamptz, $5::text)" : "";
  return ctx.db.query<AppRow>({ text: found(paged) }, [workspaceId, ctx.now, limit, ...(after ?? [])]);
}

export async function findApp(ctx: Ctx, workspaceId: string, clientId: string): Promise<AppRow | null> {
  const [row] = await ctx.db.query<AppRow>({ text: found("and client_id = $4::text") }, [
    workspaceId,
    ctx.now,
    1,
    clientId,
  ]);
  return row ?? null;
}

export type NewApp = {
  id: string;
  name: string;
  metadata: ClientMetadata;
  description: string | null;
  createdBy: string;
};

/** Stores an app. It counts as approved, because clients that nobody approves are deleted. */
export async function insertApp(ctx: Ctx, workspace: { id: string; slug: string }, app: NewApp): Promise<void> {
  await ctx.db.query(
    {
      text: `
        insert into oauth_client (id, name, metadata, workspace_slug, workspace_id, created_by, description, created_at,
                                  approved_at)
        values ($3, $4, $5, $2, $1, $6, $7, $8, $8)`,
    },
    [
      workspace.id,
      workspace.slug,
      app.id,
      app.name,
      JSON.stringify(app.metadata),
      app.createdBy,
      app.description,
      ctx.now,
    ],
  );
}

/** Ends a client that was created for this workspace. Others stay registered. */
export async function revokeApp(db: Db, workspaceId: string, clientId: string, now: string): Promise<void> {
  await db.query(
    { text: `update oauth_client set revoked_at = $3 where id = $2 and workspace_id = $1 and revoked_at is null` },
    [workspaceId, clientId, now],
  );
}
