import type { Ctx } from "../context.ts";
import type { NewSecret } from "../secrets.ts";

export type NewKey = {
  id: string;
  user_id: string;
  kind: string;
  name: string;
  scopes: string[];
  project_ids: string[] | null;
  rate_limit_per_minute: number | null;
  expires_at: string | null;
  created_by: string;
};

/** Stores a key with the hash of its secret, which no entity and no read ever touches. */
export async function insertKey(ctx: Ctx, workspaceId: string, key: NewKey, secret: NewSecret): Promise<void> {
  await ctx.db.query(
    {
      text: `
        insert into api_key (id, workspace_id, user_id, kind, name, hash, prefix, last_four, scopes, project_ids,
                             rate_limit_per_minute, expires_at, created_by, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)`,
    },
    [
      key.id,
      workspaceId,
      key.user_id,
      key.kind,
      key.name,
      secret.hash,
      secret.prefix,
      secret.last_four,
      key.scopes,
      key.project_ids,
      key.rate_limit_per_minute,
      key.expires_at,
      key.created_by,
      ctx.now,
    ],
  );
}
