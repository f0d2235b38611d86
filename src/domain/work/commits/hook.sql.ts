import type { InWorkspace } from "../../kernel/context.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { Workspace } from "../../kernel/rows.ts";

/** The commit hook of a workspace, which its forges send pushes to. */

export type HookRow = { created_at: string; created_by_name: string | null; last_used_at: string | null };

export async function readHook({ db, workspace }: InWorkspace): Promise<HookRow | null> {
  const [row] = await db.query<HookRow>(
    {
      text: `
        select h.created_at, h.last_used_at, coalesce(u.name, u.email) as created_by_name
        from commit_hook h join app_user u on u.id = h.created_by where h.workspace_id = $1`,
    },
    [workspace.id],
  );
  return row ?? null;
}

/** Stores a hook. Returns whether it replaced an earlier one. */
export async function putHook(
  { db, workspace, principal, now }: InWorkspace,
  { tokenHash, secretSealed }: { tokenHash: Buffer; secretSealed: string },
): Promise<boolean> {
  const [row] = await db.query<{ replaced: boolean }>(
    {
      text: `
        insert into commit_hook (workspace_id, token_hash, secret_sealed, created_by, created_at)
        values ($1, $2, $3, $4, $5)
        on conflict (workspace_id) do update set token_hash = excluded.token_hash, last_used_at = null,
          secret_sealed = excluded.secret_sealed, created_by = excluded.created_by, created_at = excluded.created_at
        returning old.workspace_id is not null as replaced`,
    },
    [workspace.id, tokenHash, secretSealed, principal.user_id, now],
  );
  return row!.replaced;
}

export async function deleteHook({ db, workspace }: InWorkspace): Promise<boolean> {
  const text = `delete from commit_hook where workspace_id = $1 returning 1`;
  return (await db.query({ text }, [workspace.id])).length > 0;
}

/** Returns the hook with this token. The token identifies the workspace, so the query has no workspace id. */
export async function findHook(
  db: Db,
  tokenHash: Buffer,
): Promise<{ workspace: Workspace; secret_sealed: string } | null> {
  const [row] = await db.query<Workspace & { secret_sealed: string }>(
    {
      name: "commit_hook",
      text: `
        select w.id, w.slug, w.name, w.plan, h.secret_sealed from commit_hook h
        join workspace w on w.id = h.workspace_id where h.token_hash = $1`,
    },
    [tokenHash],
  );
  if (!row) return null;
  const { secret_sealed, ...workspace } = row;
  return { workspace, secret_sealed };
}

export async function markUsed(db: Db, workspaceId: string, now: string): Promise<void> {
  await db.query(
    { name: "commit_hook_used", text: `update commit_hook set last_used_at = $2 where workspace_id = $1` },
    [workspaceId, now],
  );
}
